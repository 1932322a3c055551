/** The buttons of the sign-in page. */
import type { ProviderButtonColors } from '../config/button.ts'
import type { Theme } from '../config/types.ts'
import { attributes, html } from './html.ts'
import type { Markup } from './html.ts'
import { pictureSource } from './layout.ts'
import type { SignInChoice } from './sign-in-page.ts'
import { safeColor, textOn } from './style.ts'

export function logoOf({ provider: { offer } }: SignInChoice): string | undefined {
  return offer.kind === 'button' ? offer.logo : undefined
}

function colorRule(index: number, { background, text, border }: ProviderButtonColors): string {
  const rules = Object.entries({ background, color: text, 'border-color': border })
    .filter(([, color]) => safeColor(color))
    .map(([property, color]) => `${property}: ${color};`)
  return `.button.button-${index} { ${rules.join(' ')} }\n`
}

/** Rules for one button and its badge, because the content security policy forbids style attributes. */
export function buttonStyle(
  { colorScheme = 'auto' }: Theme,
  { provider: { offer }, icon }: SignInChoice,
  index: number,
): string {
  if (icon?.button) {
    const { light, dark } = icon.button
    const rule = colorRule(index, colorScheme === 'dark' ? dark : light)
    if (colorScheme !== 'auto') return rule
    return `${rule}@media (prefers-color-scheme: dark) { ${colorRule(index, dark)}}\n`
  }
  const color = offer.kind === 'button' ? safeColor(offer.brandColor) : undefined
  return color ? `.badge-${index} { background: ${color}; color: ${textOn(color)}; }\n` : ''
}

/** The logo of the application, else the icon, else the initial. */
export function badge(choice: SignInChoice, index: number): Markup {
  const names = `badge badge-${index}`
  const logo = logoOf(choice)
  if (pictureSource(logo)) return html`<img class="${names}" src="${logo}" alt="" loading="lazy" />`
  if (choice.icon) {
    const paths = choice.icon.paths.map(({ d, fill }) => html`<path${attributes({ d, fill })} />`)
    return html`<svg class="badge icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`
  }
  const [initial = ''] = choice.provider.name
  return html`<span class="${names}" aria-hidden="true">${initial.toUpperCase()}</span>`
}
