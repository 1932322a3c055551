import type { CredentialFields } from '../config/credentials.ts'
import type { BoundProvider, Html, SignInOffer, SubmittedForm } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'
import { fieldset } from './field.ts'
import { html, postForm } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { page, pictureSource, siteName } from './layout.ts'
import type { Site } from './layout.ts'
import { english, say, sayCode } from './messages.ts'
import type { PageMessage } from './messages.ts'
import { safeColor, textOn } from './style.ts'

export interface SignInChoice {
  readonly provider: Pick<BoundProvider, 'id' | 'name' | 'offer'>
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
}

export interface SignInPage extends Site {
  readonly choices: readonly SignInChoice[]
  readonly hidden: HiddenInputs
  readonly error: string | null
  /** The `code` of `CredentialsSignin`. */
  readonly code?: string | null
  /** The form that was rejected, with what the user typed. */
  readonly rejected?: SubmittedForm | null
  /** Whether the user has just signed out on the page that `callbackUrl` names. */
  readonly isSignedOut?: boolean
  readonly email?: string | undefined
}

const messages: ReadonlyMap<string, PageMessage> = new Map<string, PageMessage>([
  ['Signin', 'tryAnotherAccount'],
  ['OAuthSignin', 'tryAnotherAccount'],
  ['OAuthSignInError', 'providerUnavailable'],
  ['OAuthCallbackError', 'providerFailed'],
  ['OAuthCreateAccount', 'tryAnotherAccount'],
  ['EmailCreateAccount', 'tryAnotherAccount'],
  ['Callback', 'tryAnotherAccount'],
  ['OAuthAccountNotLinked', 'accountNotLinked'],
  ['AccountNotLinked', 'accountNotLinked'],
  ['EmailSignin', 'mailNotSent'],
  ['EmailSignInError', 'mailNotSent'],
  ['CredentialsSignin', 'credentialsRejected'],
  ['SessionRequired', 'sessionRequired'],
  ['MissingCSRF', 'pageExpired'],
  ['InvalidCheck', 'signInExpired'],
])

/** The forms whose field shows the error. */
const KINDS: ReadonlyMap<string, SignInOffer['kind']> = new Map<string, SignInOffer['kind']>([
  ['CredentialsSignin', 'form'],
  ['EmailSignin', 'email'],
  ['EmailSignInError', 'email'],
])

/** Ids of the form that was rejected, and of the one that is open. */
interface State {
  readonly rejected: string | null
  readonly main: string | undefined
}

function errorText({ theme, error, code = null }: SignInPage): Markup | null {
  if (!error) return null
  const custom = error === 'CredentialsSignin' ? sayCode(theme, code) : null
  return custom ?? say(theme, messages.get(error) ?? 'signInFailed')
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

function isForm({ provider: { offer } }: SignInChoice): boolean {
  return offer.kind !== 'button'
}

function oauthButton(
  { theme, hidden }: SignInPage,
  choice: SignInChoice,
  [index, isPrimary]: readonly [number, boolean],
): Markup {
  const { provider, routes } = choice
  const label = say(theme, 'continueWith', { provider: provider.name })
  const button = html`<button type="submit" class="button${isPrimary && ' primary'}">
    ${badge(choice, index)} <span>${label}</span>
  </button>`
  return postForm(routes.signinUrl, hidden, button)
}

function emailFields({ theme, email: value = '' }: SignInPage): CredentialFields {
  const textOf = (name: PageMessage) => theme.messages?.[name] ?? english[name]
  const limits = { autoComplete: 'email', maxLength: 254, required: true }
  const texts = { label: textOf('emailAddress'), placeholder: textOf('emailPlaceholder') }
  return { email: { type: 'email', value, ...texts, ...limits } }
}

/** The form that was rejected: the one that is known, else the only one of its kind. */
function rejectedId({ error, rejected }: SignInPage, forms: readonly SignInChoice[]) {
  const kind = error === null ? undefined : KINDS.get(error)
  const suspects = forms.filter(({ provider: { offer } }) => offer.kind === kind)
  const [only] = suspects.length === 1 ? suspects : []
  const found = suspects.find(({ provider: { id } }) => id === rejected?.form) ?? only
  return found?.provider.id ?? null
}

function form(content: SignInPage, { provider, routes }: SignInChoice, state: State): Markup {
  const { theme, hidden, rejected } = content
  const { id, name, offer } = provider
  const isCredentials = offer.kind === 'form'
  const inputs = fieldset(isCredentials ? offer.fields : emailFields(content), {
    id,
    typed: rejected?.form === id ? rejected.values : {},
    error: state.rejected === id ? errorText(content) : null,
    hasFocus: state.main === id,
  })
  const label = isCredentials
    ? say(theme, 'signIn')
    : say(theme, 'continueWith', { provider: name })
  const submit = html`<button type="submit" class="button primary">${label}</button>`
  const action = isCredentials ? routes.callbackUrl : routes.signinUrl
  return postForm(action, hidden, html`${inputs}${submit}`)
}

/** A form that opens with one click, without a script. */
function closedForm(content: SignInPage, choice: SignInChoice, state: State): Markup {
  const { name, offer } = choice.provider
  const isPassword = offer.kind === 'form' && name === 'Credentials' && 'password' in offer.fields
  const label = isPassword
    ? say(content.theme, 'usePassword')
    : say(content.theme, 'continueWith', { provider: name })
  return html`<details>
    <summary>${label}</summary>
    ${form(content, choice, state)}
  </details>`
}

/** The buttons and one form, in the order of the providers; other forms are closed. */
function methods(content: SignInPage, offered: readonly SignInChoice[], rejected: string | null) {
  const forms = offered.filter(isForm)
  const main = forms.find(({ provider: { id } }) => id === rejected) ?? forms[0]
  const state = { rejected, main: main?.provider.id }
  const buttons = offered.flatMap((choice, index) =>
    isForm(choice) ? [] : oauthButton(content, choice, [index, !main && index === 0]),
  )
  const open = main ? [form(content, main, state)] : []
  const closed = forms.flatMap((each) => (each === main ? [] : closedForm(content, each, state)))
  const isApart = main !== undefined && buttons.length > 0
  const or = isApart && html`<div class="or" role="separator">${say(content.theme, 'or')}</div>`
  const [first, second] = offered[0] === main ? [open, buttons] : [buttons, open]
  return html`${first}${or}${second}${closed}`
}

export function signInPage({ choices, ...content }: SignInPage): Html {
  const { theme } = content
  const offered = choices.filter(({ provider }) => provider.offer.kind !== 'none')
  const rejected = rejectedId({ choices, ...content }, offered.filter(isForm))
  const notice = rejected === null && errorText({ choices, ...content })
  return page({
    ...content,
    title: say(theme, 'signInTitle', { site: siteName(content) }),
    subtitle: offered.length > 1 && say(theme, 'chooseMethod'),
    name: 'signin',
    style: offered.map(badgeStyle).join(''),
    pictures: offered.map(logoOf),
    body: html`${content.isSignedOut && html`<p class="status" role="status">${say(theme, 'signedOut')}</p>`}${notice && html`<p class="notice" role="alert">${notice}</p>`}${
      offered.length > 0
        ? methods({ choices, ...content }, offered, rejected)
        : html`<p class="muted foot">${say(theme, 'noMethods')}</p>`
    }`,
  })
}
