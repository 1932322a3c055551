// @vitest-environment jsdom
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributes, html } from '../../../src/core/pages/html.ts'

function parse(markup: string): HTMLElement {
  return new DOMParser().parseFromString(markup, 'text/html').body
}

/** Text as an HTML parser keeps it (HTML §13.2.3.5): with normalized line ends and without NUL. */
const kept = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '')

const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0')),
  fc.constantFrom('<script>alert(1)</script>', '"onload="x', "'", '&amp;', '</p><p>', '<!--', '`'),
)

describe('the html tag', () => {
  test('escapes a value', () => {
    fc.assert(
      fc.property(text, (value) => {
        const body = parse(html`<p>${value}</p>`.markup)
        expect(body.children).toHaveLength(1)
        expect(body.querySelector('p')?.textContent).toBe(kept(value))
      }),
    )
  })

  test('escapes a value in an attribute', () => {
    fc.assert(
      fc.property(text, (value) => {
        const body = parse(html`<p title="${value}" lang="${value}">x</p>`.markup)
        const paragraph = body.querySelector('p')
        expect(paragraph?.getAttributeNames()).toEqual(['title', 'lang'])
        expect(paragraph?.getAttribute('title')).toBe(kept(value))
        expect(paragraph?.getAttribute('lang')).toBe(kept(value))
        expect(body.textContent).toBe('x')
      }),
    )
  })

  test('inserts markup and lists, and omits null, undefined and false', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
    const { markup } = html`<ul>
        ${items}
      </ul>
      ${null}${undefined}${false}${0}`
    expect(markup.replace(/\s/g, '')).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0')
  })
})

describe('attributes', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ type: 'text', minlength: 3 }, ' type="text" minlength="3"'],
    [{ required: true, disabled: false, autofocus: undefined, hidden: null }, ' required'],
    [{ value: '"><script>' }, ' value="&quot;&gt;&lt;script&gt;"'],
    [{ onclick: 'x', onfocus: true, 'on-x': 'x' }, ''],
    [{ 'a b': 'x', 'a"b': 'x', 'a=b': 'x', 'a>b': 'x', '': 'x', '/': 'x', ONLOAD: 'x' }, ''],
    [{ label: {}, pattern: [], list: () => 'x', class: Symbol('x') }, ''],
    [{ 'data-x': '', 'aria-label': "it's" }, ' data-x="" aria-label="it&#39;s"'],
  ])('renders only valid attributes: %o', (values, expected) => {
    expect(attributes(values).markup).toBe(expected)
  })

  test('cannot add another attribute or element', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (values) => {
        const body = parse(`<p${attributes(values).markup}>x</p>`)
        expect(body.children).toHaveLength(1)
        expect(body.textContent).toBe('x')
        for (const name of body.querySelector('p')?.getAttributeNames() ?? []) {
          expect(Object.keys(values)).toContain(name)
          expect(name).not.toMatch(/^on/)
        }
      }),
    )
  })
})
