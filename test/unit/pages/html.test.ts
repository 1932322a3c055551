// @vitest-environment jsdom
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributes, html } from '../../../src/pages/html.ts'

function parse(markup: string): HTMLElement {
  return new DOMParser().parseFromString(markup, 'text/html').body
}

/** Text as a parser of HTML keeps it (HTML §13.2.3.5): it turns line ends into one kind, and drops NUL. */
const kept = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '')

const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0')),
  fc.constantFrom('<script>alert(1)</script>', '"onload="x', "'", '&amp;', '</p><p>', '<!--', '`'),
)

describe('a piece of a page', () => {
  test('shows a value as the text it is', () => {
    fc.assert(
      fc.property(text, (value) => {
        const body = parse(html`<p>${value}</p>`.markup)
        expect(body.children).toHaveLength(1)
        expect(body.querySelector('p')?.textContent).toBe(kept(value))
      }),
    )
  })

  test('keeps a value within its attribute', () => {
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

  test('holds pieces and lists of pieces, and nothing for what is not there', () => {
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
  ])('are written only where they are some: %o', (values, expected) => {
    expect(attributes(values).markup).toBe(expected)
  })

  test('never make another attribute, or an element', () => {
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
