import type { CredentialFields, InputAttributes } from '../config/credentials.ts'
import type { Theme } from '../config/types.ts'
import type { BoundProvider, Html } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'
import { attributes, html, postForm } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { page, pictureSource } from './layout.ts'
import { safeColor, textOn } from './style.ts'

export interface SignInChoice {
  readonly provider: Pick<BoundProvider, 'id' | 'name' | 'offer'>
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
}

export interface SignInPage {
  readonly theme: Theme
  readonly choices: readonly SignInChoice[]
  readonly hidden: HiddenInputs
  readonly error: string | null
  readonly email?: string | undefined
}

const MAIL_NOT_SENT = 'The e-mail could not be sent. Check the address and try again.'
const TRY_ANOTHER = 'Unable to sign in. Try again, or use a different account.'
const OTHER_METHOD = 'To confirm your identity, sign in with the method that you used first.'

const messages: ReadonlyMap<string, string> = new Map([
  ['Signin', TRY_ANOTHER],
  ['OAuthSignin', TRY_ANOTHER],
  ['OAuthSignInError', 'The provider cannot be reached right now. Try again in a moment.'],
  ['OAuthCallbackError', 'The provider did not sign you in. Try again, or choose another method.'],
  ['OAuthCreateAccount', TRY_ANOTHER],
  ['EmailCreateAccount', TRY_ANOTHER],
  ['Callback', TRY_ANOTHER],
  ['OAuthAccountNotLinked', OTHER_METHOD],
  ['AccountNotLinked', OTHER_METHOD],
  ['EmailSignin', MAIL_NOT_SENT],
  ['EmailSignInError', MAIL_NOT_SENT],
  ['CredentialsSignin', 'Sign-in failed. Check that the details you entered are correct.'],
  ['SessionRequired', 'Sign in to see this page.'],
  ['MissingCSRF', 'This page was open for too long. Sign in again.'],
  ['InvalidCheck', 'The sign-in took too long, or was started in another browser. Start again.'],
])

function notice(error: string | null): Markup | null {
  if (!error) return null
  return html`<p class="notice" role="alert">
    ${messages.get(error) ?? 'Unable to sign in. Try again.'}
  </p>`
}

/** A class for each badge, because the content security policy forbids style attributes. */
function badgeStyle({ provider: { offer } }: SignInChoice, index: number): string {
  const color = offer.kind === 'button' ? safeColor(offer.brandColor) : undefined
  return color ? `.badge-${index} { background: ${color}; color: ${textOn(color)}; }\n` : ''
}

function logoOf({ provider: { offer } }: SignInChoice): string | undefined {
  return offer.kind === 'button' ? offer.logo : undefined
}

function badge(choice: SignInChoice, index: number): Markup {
  const [initial = ''] = choice.provider.name
  const names = `badge badge-${index}`
  const logo = logoOf(choice)
  if (pictureSource(logo)) return html`<img class="${names}" src="${logo}" alt="" loading="lazy" />`
  return html`<span class="${names}" aria-hidden="true">${initial.toUpperCase()}</span>`
}

/** Unwraps a signal, which JSX renderers accept as the value of an attribute. */
function valueOf(attribute: unknown): unknown {
  const isSignal = typeof attribute === 'object' && attribute !== null && 'value' in attribute
  return isSignal ? attribute.value : attribute
}

function field(provider: string, name: string, input: InputAttributes): Markup {
  const { label = name, ...others } = input
  const id = `input-${name}-for-${provider}-provider`
  const given = Object.entries(others).flatMap(([key, attribute]) => {
    const value = valueOf(attribute)
    return value === undefined ? [] : [[key.toLowerCase(), value] as const]
  })
  const all = { placeholder: '', type: 'text', ...Object.fromEntries(given), id, name }
  return html`<label for="${id}">${label}</label><input${attributes(all)} />`
}

function emailFields(value = ''): CredentialFields {
  const limits = { autoComplete: 'email', maxLength: 254, required: true }
  const placeholder = 'you@example.com'
  return { email: { label: 'E-mail address', type: 'email', value, placeholder, ...limits } }
}

function form({ hidden, email }: SignInPage, choice: SignInChoice, index: number): Markup {
  const { provider, routes } = choice
  const { id, name, offer } = provider
  if (offer.kind === 'button') {
    const label = html`${badge(choice, index)} <span>Sign in with ${name}</span>`
    const button = html`<button type="submit" class="button">${label}</button>`
    return postForm(routes.signinUrl, hidden, button)
  }
  const isCredentials = offer.kind === 'form'
  const fields = isCredentials ? offer.fields : emailFields(email)
  const inputs = Object.entries(fields).map(([key, input]) => field(id, key, input))
  const submit = html`<button type="submit" class="button primary">Sign in with ${name}</button>`
  const action = isCredentials ? routes.callbackUrl : routes.signinUrl
  return postForm(action, hidden, html`${inputs}${submit}`)
}

function separatedForms(content: SignInPage, offered: readonly SignInChoice[]): Markup[] {
  return offered.flatMap((choice, index) => {
    const kinds = [choice, offered[index - 1]].map((each) => each?.provider.offer.kind)
    const isApart = index > 0 && kinds.some((kind) => kind !== 'button')
    const separator = html`<div class="or" role="separator">or</div>`
    return [...(isApart ? [separator] : []), form(content, choice, index)]
  })
}

export function signInPage(content: SignInPage): Html {
  const offered = content.choices.filter(({ provider }) => provider.offer.kind !== 'none')
  return page({
    title: 'Sign In',
    name: 'signin',
    theme: content.theme,
    style: offered.map(badgeStyle).join(''),
    pictures: offered.map(logoOf),
    body: html`<h1>Sign in</h1>
      ${notice(content.error)}${separatedForms(content, offered)}${
        offered.length === 0 && html`<p class="muted">No sign-in method is configured.</p>`
      }`,
  })
}
