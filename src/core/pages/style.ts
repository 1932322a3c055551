/** Style sheet of the built-in pages: light and dark palettes, no external resources. */
import type { Theme } from './theme.ts'

const PROPERTIES: readonly (readonly [name: string, light: string, dark: string])[] = [
  ['--background', '#fafafa', '#0a0a0b'],
  ['--card', '#ffffff', '#151517'],
  ['--text', '#171717', '#f4f4f5'],
  ['--muted', '#5e5e66', '#a9a9b2'],
  ['--line', '#8a8a94', '#74747f'],
  ['--separator', '#e8e8ec', '#29292e'],
  ['--control', '#ffffff', '#1c1c1f'],
  ['--control-hover', '#f5f5f6', '#26262a'],
  ['--primary', '#171717', '#7db0ff'],
  ['--primary-text', '#ffffff', '#0a0a0b'],
  ['--focus', '#2563eb', '#7db0ff'],
  ['--error', '#b42318', '#ffb4ab'],
  ['--error-background', '#fef3f2', '#3b1210'],
  ['color-scheme', 'light', 'dark'],
]

const BASE = `
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-font-smoothing: antialiased; }
body { margin: 0; background: var(--background); color: var(--text); }
.page { min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: min(1rem, 4vw); }
.page > div { width: 100%; max-width: 24rem; }
.card { background: var(--card); border: 1px solid var(--separator); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / 5%), 0 12px 32px -12px rgb(0 0 0 / 12%); padding: min(2rem, 5vw); }
h1, p { margin: 0 0 1.25rem; overflow-wrap: anywhere; text-wrap: pretty; }
h1, .sub, .status, .foot { text-wrap: balance; }
h1 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -0.01em; font-weight: 650; text-align: center; }
.card > :last-child { margin-bottom: 0; }
.sub { margin-top: -1rem; text-align: center; color: var(--muted); }
.muted, .foot { color: var(--muted); }
.foot { margin: 1.25rem 0 0; text-align: center; font-size: 0.875rem; }
strong { font-weight: 600; color: var(--text); }
.logo, .brand { margin: 0 auto 1rem; }
.logo { display: block; max-width: 10rem; max-height: 4rem; }
.brand { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 0.625rem; background: var(--primary); color: var(--primary-text); font-weight: 700; }
form + form, form + .button, .button + form, .button + .button { margin-top: 0.5rem; }
.default { position: absolute; width: 1px; height: 1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; color: var(--text); background: var(--card); }
form { position: relative; }
.notice, .hint { color: var(--error); }
.notice { background: var(--error-background); border-radius: 0.625rem; padding: 0.75rem min(1rem, 4vw); }
.status { margin: 0 0 1.25rem; text-align: center; background: var(--control-hover); border-radius: 0.625rem; padding: 0.75rem min(1rem, 4vw); }
.hint { margin: -0.5rem 0 1rem; font-size: 0.875rem; }
label { display: block; margin: 0 0 0.375rem; font-size: 0.875rem; font-weight: 550; }
input { display: block; width: 100%; min-height: 2.75rem; margin: 0 0 0.875rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--control); border: 1px solid var(--line); border-radius: 0.625rem; }
input[aria-invalid="true"] { border-color: var(--error); }
::placeholder { color: var(--muted); opacity: 1; }
input[type="checkbox"], input[type="radio"] { width: 1.25rem; min-height: 1.25rem; }
.button { display: flex; align-items: center; justify-content: center; gap: min(0.625rem, 3vw); width: 100%; min-height: 2.75rem; padding: 0.5rem min(0.75rem, 2.5vw); font: inherit; font-size: 0.9375rem; font-weight: 550; text-align: center; text-decoration: none; text-wrap: balance; overflow-wrap: anywhere; color: var(--text); background: var(--control); border: 1px solid var(--line); border-radius: 0.625rem; cursor: pointer; }
.button:hover { background: var(--control-hover); }
.button.primary { --badge: var(--primary-text); --badge-text: var(--primary); color: var(--primary-text); background: var(--primary); border-color: var(--primary); }
.button.primary:hover { filter: brightness(0.95); }
.button.quiet { border-color: transparent; background: none; color: var(--muted); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.badge { flex: none; width: min(1.5rem, 7.5vw); height: min(1.5rem, 7.5vw); border-radius: 0.375rem; display: grid; place-items: center; font-size: min(0.8125rem, 4vw); line-height: 1; box-shadow: 0 0 0 1px var(--separator); background: var(--badge, var(--text)); color: var(--badge-text, var(--card)); }
img.badge, .icon { background: none; box-shadow: none; object-fit: contain; }
.icon { padding: min(0.125rem, 0.6vw); fill: currentcolor; color: inherit; }
.badge + span { flex: 1 0 auto; max-width: calc(100% - min(2.125rem, 10.5vw)); text-wrap: balance; }
.button:has(.badge)::after { content: ""; flex: 0 1 2.125rem; margin-left: max(-0.625rem, -3vw); }
.or { display: flex; align-items: center; gap: 0.75rem; margin: 1.25rem 0; color: var(--muted); font-size: 0.8125rem; border: 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--separator); }
details { margin-top: 0.75rem; }
summary { padding: 0.625rem; border-radius: 0.625rem; text-align: center; text-decoration: underline; text-underline-offset: 3px; font-size: 0.875rem; color: var(--muted); cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
details[open] > summary { margin-bottom: 0.5rem; }
.actions { display: flex; flex-wrap: wrap; justify-content: center; column-gap: min(1rem, 4vw); margin: 0.625rem 0 0; }
.status > p { margin: 0; }
.actions + .foot { margin-top: 0.625rem; }
.notice + .actions { margin: -0.625rem 0 1.25rem; }
.link { display: inline-block; padding: 0.625rem 0; font: inherit; color: inherit; text-align: center; text-decoration: underline; text-underline-offset: 3px; background: none; border: 0; cursor: pointer; }
a { color: inherit; text-underline-offset: 3px; }
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

const LIGHT = palette('light')
const DARK = palette('dark')

export function styleSheet({ colorScheme = 'auto', brandColor, buttonText }: Theme): string {
  const first = colorScheme === 'dark' ? DARK : LIGHT
  const auto = colorScheme === 'auto' ? `@media (prefers-color-scheme: dark) { ${DARK} }` : ''
  const brand = safeColor(brandColor)
  if (!brand) return `${first}\n${auto}${BASE}`
  const text = safeColor(buttonText) ?? textOn(brand)
  return `${first}\n${auto}${BASE}.brand, .button.primary { background: ${brand}; border-color: ${brand}; color: ${text}; --badge: ${text}; --badge-text: ${brand}; }\n`
}
