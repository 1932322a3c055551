import type { ProviderButtonColors } from '../config/button.ts'
import type { Theme } from './theme.ts'
import { fieldset, isFilledIn } from './field.ts'
import { attributes, html, postForm } from './html.ts'
import type { Markup } from './html.ts'
import { pictureSource } from './layout.ts'
import { say } from './messages.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'
import { submitsMainForm } from './remember-box.ts'
import { safeColor, textOn } from './style.ts'

export function findLogo({ provider: { offer } }: SignInChoice): string | undefined {
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
function badge(choice: SignInChoice, index: number): Markup {
  const names = `badge badge-${index}`
  const logo = findLogo(choice)
  if (pictureSource(logo)) return html`<img class="${names}" src="${logo}" alt="" loading="lazy" />`
  if (choice.icon) {
    const paths = choice.icon.paths.map(({ d, fill }) => html`<path${attributes({ d, fill })} />`)
    return html`<svg class="badge icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`
  }
  const [initial = ''] = choice.provider.name
  return html`<span class="${names}" aria-hidden="true">${initial.toUpperCase()}</span>`
}

/** Buttons above the fold; the others open with one click. */
const MAX_BUTTONS = 5

/** Whether one click is enough, because the form has no field to fill in. */
export function isGuest({ provider: { offer } }: SignInChoice): boolean {
  return offer.kind === 'form' && !isFilledIn(offer.fields)
}

/** The default name of the provider module is no name of a user. */
function guestLabel(theme: Theme, { provider: { name } }: SignInChoice): Markup {
  return name === 'Credentials'
    ? say(theme, 'signIn')
    : say(theme, 'continueAs', { provider: name })
}

function signInButton(
  { theme, hidden, passkeys, remember }: SignInPage,
  choice: SignInChoice,
  [index, isPrimary]: readonly [number, boolean],
): Markup {
  const { provider, routes } = choice
  const primary = isPrimary ? ' primary' : ''
  if (provider.offer.kind === 'passkey' && passkeys)
    return passkeys.forms.passkeyButton(theme, provider, primary)
  const label = isGuest(choice)
    ? guestLabel(theme, choice)
    : say(theme, 'continueWith', { provider: provider.name })
  // A guest may have hidden fields, which are not those of the main form.
  const isShared = remember !== undefined && provider.offer.kind !== 'form'
  const target = isShared && html` ${submitsMainForm(routes.signinUrl)}`
  const button = html`<button${target} type="submit" class="button button-${index}${primary}">
    ${badge(choice, index)} <span>${label}</span>
  </button>`
  if (isShared) return button
  if (provider.offer.kind !== 'form') return postForm(routes.signinUrl, hidden, button)
  const state = { id: provider.id, typed: {}, error: null, hasFocus: false }
  const inputs = fieldset(provider.offer.fields, state)
  return postForm(routes.callbackUrl, hidden, html`${inputs}${button}`)
}

/** Passkeys and guests last, but not among those that open with one click; the others in the order of the providers. */
export function signInButtons(
  content: SignInPage,
  offered: readonly SignInChoice[],
  { hasPrimary }: { readonly hasPrimary: boolean },
): Markup {
  const providers = offered.filter(({ provider }) => provider.offer.kind === 'button')
  const keys = content.passkeys
    ? offered.filter(({ provider }) => provider.offer.kind === 'passkey')
    : []
  const last = [...keys, ...offered.filter(isGuest)]
  const count = Math.max(0, MAX_BUTTONS - last.length)
  const shown = [...providers.slice(0, count), ...last]
  const [first] = shown
  const render = (each: SignInChoice) =>
    signInButton(content, each, [offered.indexOf(each), hasPrimary && each === first])
  const rest = providers.slice(count)
  const more = html`<details>
    <summary>${say(content.theme, 'moreWays')}</summary>
    ${rest.map(render)}
  </details>`
  return html`${shown.map(render)}${rest.length > 0 && more}`
}
