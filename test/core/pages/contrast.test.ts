import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as apple from '../../../src/providers/_icons/apple.ts'
import * as google from '../../../src/providers/_icons/google.ts'
import * as microsoft from '../../../src/providers/_icons/microsoft.ts'
import { safeColor, styleSheet, textOn } from '../../../src/core/pages/style.ts'

type Colors = Readonly<Record<string, string>>

/** Share of light in a colour (WCAG 2.2, relative luminance). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2 §1.4.3). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The palettes of a style sheet, in their order. */
function palettesOf(sheet: string): Colors[] {
  return [...sheet.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) =>
    Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [
        name,
        color,
      ]),
    ),
  )
}

const sheetOf = (colorScheme: 'auto' | 'dark' | 'light') =>
  styleSheet({ colorScheme, brandColor: undefined, buttonText: undefined })

const [light = {}] = palettesOf(sheetOf('light'))
const [dark = {}] = palettesOf(sheetOf('dark'))

/** Pairs the sheet puts on each other. */
const TEXT: [string, string][] = [
  ['text', 'background'],
  ['text', 'card'],
  ['text', 'control'],
  ['text', 'control-hover'],
  ['card', 'text'],
  ['muted', 'card'],
  ['muted', 'control'],
  ['primary', 'card'],
  ['primary-text', 'primary'],
  ['muted', 'background'],
  ['error', 'card'],
  ['error', 'error-background'],
]

/** Borders of controls, and the ring around the one that has the focus. */
const CONTROLS: [string, string][] = [
  ['line', 'card'],
  ['line', 'control'],
  ['line', 'control-hover'],
  ['primary', 'card'],
  ['focus', 'card'],
  ['focus', 'control'],
  ['focus', 'background'],
]

describe.each<[string, Colors]>([
  ['light', light],
  ['dark', dark],
])('the %s palette', (_name, palette) => {
  const ratio = ([front, back]: [string, string]) =>
    contrast(palette[front] ?? '', palette[back] ?? '')

  test('has every colour the sheet uses', () => {
    const used = [...sheetOf('light').matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name ?? '')
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !palette[name])).toEqual([])
  })

  test.each(TEXT)('has readable contrast: %s on %s', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(CONTROLS)('has visible controls: %s on %s', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(3)
  })

  test('has readable contrast on a hovered button', () => {
    const dim = (color: string) =>
      color.replace(/[0-9a-f]{2}/g, (hex) =>
        Math.round(Number.parseInt(hex, 16) * 0.95)
          .toString(16)
          .padStart(2, '0'),
      )
    const [front = '', back = ''] = [palette['primary-text'], palette['primary']]
    expect(contrast(dim(front), dim(back))).toBeGreaterThanOrEqual(4.5)
  })
})

describe.each([apple, google, microsoft].flatMap(({ button }) => [button.light, button.dark]))(
  'a button whose colours a vendor requires',
  ({ text, background }) => {
    test(`has readable contrast: ${text} on ${background}`, () => {
      expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5)
    })
  },
)

test.each([
  ['light', light, apple.button.light],
  ['dark', dark, apple.button.dark],
])('the primary button differs from that of Apple: %s', (_name, palette, button) => {
  expect(contrast(palette['primary'] ?? '', button.background)).toBeGreaterThan(2)
})

describe('the style sheet', () => {
  test('has the brand colour in the monogram and the primary button', () => {
    const sheet = styleSheet({ brandColor: '#123456' })
    expect(sheet).toMatch(/\.brand, \.button\.primary \{ background: #123456;[^}]* color: #ffffff;/)
  })

  test('follows the system by default', () => {
    expect(palettesOf(sheetOf('auto'))).toEqual([light, dark])
    expect(sheetOf('auto')).toContain('@media (prefers-color-scheme: dark)')
    expect(palettesOf(sheetOf('light'))).toEqual([light])
    expect(palettesOf(sheetOf('dark'))).toEqual([dark])
    expect(light).not.toEqual(dark)
  })

  test('shows the focus, has large targets, and respects reduced motion', () => {
    expect(sheetOf('auto')).toMatch(/:focus-visible \{ outline: 3px solid var\(--focus\)/)
    expect(sheetOf('auto')).not.toMatch(/outline: (?:none|0)/)
    expect(sheetOf('auto')).toMatch(/\.button \{[^}]*min-height: 2\.75rem/)
    expect(sheetOf('auto')).toMatch(/::placeholder \{ color: var\(--muted\); opacity: 1; \}/)
    const still = sheetOf('auto').replace(
      /@media \(prefers-reduced-motion: no-preference\)[^\n]*/,
      '',
    )
    expect(still).not.toMatch(/transition|animation/)
  })

  test('has readable contrast on any brand colour', () => {
    const hex = fc
      .array(fc.constantFrom(...'0123456789abcdefABCDEF'.split('')), { minLength: 6, maxLength: 6 })
      .map((digits) => `#${digits.join('')}`)
    fc.assert(
      fc.property(hex, (color) => {
        expect(safeColor(color)).toBe(color)
        expect(contrast(textOn(color), color.toLowerCase())).toBeGreaterThanOrEqual(4.5)
        expect(textOn(`${color}ff`)).toBe(textOn(color))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['#000', '#ffffff'],
    ['#000f', '#ffffff'],
    ['#fff', '#000000'],
    ['#fffF', '#000000'],
    ['#00000080', '#ffffff'],
  ])('treats short colours as long ones: %s', (color, text) => {
    expect(textOn(color)).toBe(text)
  })

  test.each([
    '#12',
    '#12345',
    '#1234567',
    '#123456789',
    '#ggg',
    'a',
    '',
    'rgb()',
    'url(x)',
    'red;',
  ])('rejects an invalid colour: %j', (color) => {
    expect(safeColor(color)).toBeUndefined()
    expect(styleSheet({ colorScheme: 'light', brandColor: color, buttonText: color })).toBe(
      sheetOf('light'),
    )
  })
})
