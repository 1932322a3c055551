/** Style sheet of the built-in pages: light and dark palettes, no external resources. */
import type { Theme } from '../config/types.ts'

const PROPERTIES: readonly (readonly [name: string, light: string, dark: string])[] = [
  ['--background', '#f4f4f6', '#131316'],
  ['--card', '#ffffff', '#1e1e23'],
  ['--text', '#1b1b1f', '#f2f2f5'],
  ['--muted', '#5c5c66', '#b3b3bd'],
  ['--line', '#8a8a96', '#82828f'],
  ['--separator', '#d9d9e0', '#3a3a44'],
  ['--control', '#ffffff', '#27272e'],
  ['--control-hover', '#f1f1f5', '#31313a'],
  ['--primary', '#1f5fbf', '#7fb2ff'],
  ['--primary-text', '#ffffff', '#10203a'],
  ['--error', '#a3161b', '#ffb4b0'],
  ['--error-background', '#fdecec', '#45191b'],
  ['color-scheme', 'light', 'dark'],
]

const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; background: var(--background); color: var(--text); }
.page { min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; }
.page > div { width: 100%; max-width: 24rem; }
.card { background: var(--card); border: 1px solid var(--separator); border-radius: 0.75rem; padding: 2rem; }
h1, p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; }
p:last-child { margin-bottom: 0; }
.muted { color: var(--muted); }
.logo { display: block; max-width: 10rem; max-height: 4rem; margin: 0 0 1.25rem; }
form + form { margin-top: 0.75rem; }
form + p { margin-top: 1.25rem; }
.notice { background: var(--error-background); color: var(--error); border-radius: 0.5rem; padding: 0.75rem 1rem; }
label { display: block; margin: 0 0 0.25rem; font-weight: 600; }
input { display: block; width: 100%; min-height: 2.75rem; margin: 0 0 1rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--control); border: 1px solid var(--line); border-radius: 0.5rem; }
::placeholder { color: var(--muted); opacity: 1; }
input[type="checkbox"], input[type="radio"] { width: 1.25rem; min-height: 1.25rem; }
.button { display: flex; align-items: center; justify-content: center; gap: 0.625rem; width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--text); background: var(--control); border: 1px solid var(--line); border-radius: 0.5rem; cursor: pointer; }
.button:hover { background: var(--control-hover); }
.button.primary { color: var(--primary-text); background: var(--primary); border-color: var(--primary); }
.button.primary:hover { filter: brightness(0.95); }
:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; }
.badge { flex: none; width: 1.5rem; height: 1.5rem; border-radius: 0.375rem; display: grid; place-items: center; font-size: 0.8125rem; line-height: 1; background: var(--text); color: var(--card); }
.or { display: flex; align-items: center; gap: 0.75rem; margin: 1.25rem 0; color: var(--muted); font-size: 0.875rem; border: 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--separator); }
a { color: var(--primary); }
@media (max-width: 26rem) { .card { padding: 1.25rem; } }
@media (prefers-reduced-motion: no-preference) { .button { transition: background-color 120ms; } }
`

/** CSS colours, without characters that could end the declaration. */
const COLOR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,24}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z-]{1,48}\))$/i

export function safeColor(color: string | undefined): string | undefined {
  return color !== undefined && COLOR.test(color) ? color : undefined
}

/** Relative luminance of a hexadecimal colour, 0 to 1 (WCAG 2.2); `null` for other notations. */
function luminance(color: string): number | null {
  if (!/^#[0-9a-f]{3,8}$/i.test(color)) return null
  const hex = color.slice(1)
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  const channel = (at: number) => {
    const value = parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/** Returns the text colour with the higher contrast; black if the luminance is unknown. */
export function textOn(color: string): '#000000' | '#ffffff' {
  const light = luminance(color) ?? 1
  return light > 0.179 ? '#000000' : '#ffffff'
}

function palette(scheme: 'light' | 'dark'): string {
  const at = scheme === 'light' ? 1 : 2
  const lines = PROPERTIES.map((property) => `${property[0]}: ${property[at]};`)
  return `:root { ${lines.join(' ')} }`
}

export function styleSheet({ colorScheme = 'auto', brandColor, buttonText }: Theme): string {
  const first = palette(colorScheme === 'dark' ? 'dark' : 'light')
  const auto =
    colorScheme === 'auto' ? `@media (prefers-color-scheme: dark) { ${palette('dark')} }` : ''
  const brand = safeColor(brandColor)
  if (!brand) return `${first}\n${auto}${BASE}`
  const text = safeColor(buttonText) ?? textOn(brand)
  return `${first}\n${auto}${BASE}.button.primary { background: ${brand}; border-color: ${brand}; color: ${text}; }\n`
}
