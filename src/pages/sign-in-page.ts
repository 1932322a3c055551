import type { CredentialFields, InputAttributes } from '../config/credentials.ts'
import type { Theme } from '../config/types.ts'
import type { BoundProvider, Html } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'
import { attributes, hiddenInputs, html } from './html.ts'
import type { Markup } from './html.ts'
import { page, pictureSource } from './layout.ts'
import { safeColor, textOn } from './style.ts'

export interface SignInChoice {
  readonly provider: Pick<BoundProvider, 'id' | 'name' | 'offer'>
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
}

export interface SignInPage {
  readonly theme: Theme
  readonly choices: readonly SignInChoice[]
  readonly csrfToken: string | null
  readonly returnTo: string
  readonly error: string | undefined
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

function notice(error: string | undefined): Markup | null {
  if (!error) return null
  return html`<p class="notice" role="alert">
    ${messages.get(error) ?? 'Unable to sign in. Try again.'}
  </p>`
}

function inputsOf({ csrfToken, returnTo }: SignInPage): Markup[] {
  return hiddenInputs({ csrfToken, callbackUrl: returnTo })
}

/** A class for each button, because the content security policy forbids style attributes. */
function badgeClass(index: number): string {
  return `badge-${index}`
}

function badgeStyle({ provider }: SignInChoice, index: number): string {
  const { offer } = provider
  const color = offer.kind === 'button' ? safeColor(offer.brandColor) : undefined
  return color ? `.${badgeClass(index)} { background: ${color}; color: ${textOn(color)}; }\n` : ''
}

function pictureOf({ provider: { offer } }: SignInChoice): string | null {
  const logo = offer.kind === 'button' ? offer.logo : undefined
  return logo !== undefined && pictureSource(logo) ? logo : null
}

function badge(choice: SignInChoice, index: number): Markup {
  const [initial = ''] = choice.provider.name
  const names = `badge ${badgeClass(index)}`
  const picture = pictureOf(choice)
  if (picture !== null) return html`<img class="${names}" src="${picture}" alt="" loading="lazy" />`
  return html`<span class="${names}" aria-hidden="true">${initial.toUpperCase()}</span>`
}

function button(content: SignInPage, choice: SignInChoice, index: number): Markup {
  const { name } = choice.provider
  return html`<form action="${choice.routes.signinUrl}" method="post">
    ${inputsOf(content)}
    <button type="submit" class="button">
      ${badge(choice, index)}
      <span>Sign in with ${name}</span>
    </button>
  </form>`
}

/** Unwraps a signal, which JSX renderers accept as the value of an attribute. */
function valueOf(attribute: unknown): unknown {
  const isSignal = typeof attribute === 'object' && attribute !== null && 'value' in attribute
  return isSignal ? attribute.value : attribute
}

function field(choice: SignInChoice, name: string, input: InputAttributes): Markup {
  const { label = name, ...others } = input
  const id = `input-${name}-for-${choice.provider.id}-provider`
  const given = Object.entries(others).flatMap(([key, attribute]) => {
    const value = valueOf(attribute)
    return value === undefined ? [] : [[key.toLowerCase(), value] as const]
  })
  const all = { placeholder: '', type: 'text', ...Object.fromEntries(given), id, name }
  return html`<label for="${id}">${label}</label><input${attributes(all)} />`
}

function credentialsForm(
  content: SignInPage,
  choice: SignInChoice,
  fields: Readonly<CredentialFields>,
): Markup {
  const inputs = Object.entries(fields).map(([name, input]) => field(choice, name, input))
  return html`<form action="${choice.routes.callbackUrl}" method="post">
    ${inputsOf(content)}${inputs}
    <button type="submit" class="button primary">Sign in with ${choice.provider.name}</button>
  </form>`
}

function emailForm(content: SignInPage, choice: SignInChoice): Markup {
  const { id, name } = choice.provider
  const input = `input-email-for-${id}-provider`
  return html`<form action="${choice.routes.signinUrl}" method="post">
    ${inputsOf(content)}<label for="${input}">E-mail address</label>
    <input
      id="${input}"
      name="email"
      type="email"
      value="${content.email}"
      placeholder="you@example.com"
      autocomplete="email"
      maxlength="254"
      required
    />
    <button type="submit" class="button primary">Sign in with ${name}</button>
  </form>`
}

function form(content: SignInPage, choice: SignInChoice, index: number): Markup | null {
  const { offer } = choice.provider
  switch (offer.kind) {
    case 'button':
      return button(content, choice, index)
    case 'form':
      return credentialsForm(content, choice, offer.fields)
    case 'email':
      return emailForm(content, choice)
    case 'none':
      return null
  }
}

/** Separates forms and groups of buttons. */
function separatedForms(content: SignInPage, offered: readonly SignInChoice[]): Markup[] {
  return offered.flatMap((choice, index) => {
    const { kind } = choice.provider.offer
    const previous = offered[index - 1]?.provider.offer.kind
    const isApart = previous !== undefined && (kind !== 'button' || previous !== 'button')
    const separator = isApart ? [html`<div class="or" role="separator">or</div>`] : []
    return [...separator, form(content, choice, index) ?? []].flat()
  })
}

export function signInPage(content: SignInPage): Html {
  const offered = content.choices.filter(({ provider }) => provider.offer.kind !== 'none')
  return page({
    title: 'Sign In',
    name: 'signin',
    theme: content.theme,
    style: offered.map(badgeStyle).join(''),
    pictures: offered.flatMap((choice) => pictureOf(choice) ?? []),
    forms: 'anywhere',
    body: html`<h1>Sign in</h1>
      ${notice(content.error)}${separatedForms(content, offered)}${
        offered.length === 0 && html`<p class="muted">No sign-in method is configured.</p>`
      }`,
  })
}
