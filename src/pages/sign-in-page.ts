import type { ProviderIcon } from '../config/button.ts'
import type { CredentialFields } from '../config/credentials.ts'
import type { LimitOptions } from '../config/protection-options.ts'
import type { BoundProvider, Html } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'
import { fieldset } from './field.ts'
import { html, postForm } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { page, siteName } from './layout.ts'
import type { Site } from './layout.ts'
import { mailLimitText } from './mail-limit.ts'
import { say, saySpecial, textOf } from './messages.ts'
import type { PasskeyPage, SubmittedForm } from './sign-in-offer.ts'
import { errorText, rejectedId } from './sign-in-error.ts'
import { badge, buttonStyle, logoOf } from './sign-in-button.ts'

export interface SignInChoice {
  readonly provider: Pick<BoundProvider, 'id' | 'name' | 'offer'>
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
  /** The icon of the provider module; `null` if it has none. */
  readonly icon?: ProviderIcon | null
}

export interface SignInPage extends Site {
  readonly choices: readonly SignInChoice[]
  readonly hidden: HiddenInputs
  readonly error: string | null
  /** The `code` of `CredentialsSignin`. */
  readonly code?: string | null
  /** Seconds until the next attempt, after `TooManyAttempts`; 0: unknown. */
  readonly retryAfter?: number
  readonly rejected?: SubmittedForm | null
  /** Whether the user has just signed out on the page that `callbackUrl` names. */
  readonly isSignedOut?: boolean
  /** Of a browser that has requested a mail. */
  readonly mailLimit?: LimitOptions | null
  readonly email?: string | undefined
  readonly passkeys?: PasskeyPage | undefined
}

interface State {
  /** Id of the form that was rejected. */
  readonly rejected: string | null
  /** Id of the form that is open. */
  readonly main: string | undefined
  readonly offersAutofill: boolean
  readonly hasNotice: boolean
}

function isPasskey({ provider: { offer } }: SignInChoice): boolean {
  return offer.kind === 'passkey'
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
  const names = `button-${index}${isPrimary ? ' primary' : ''}`
  const button = html`<button type="submit" class="button ${names}">
    ${badge(choice, index)} <span>${label}</span>
  </button>`
  return postForm(routes.signinUrl, hidden, button)
}

function emailFields({ theme, email: value = '' }: SignInPage): CredentialFields {
  const limits = { autoComplete: 'email', maxLength: 254, required: true }
  const label = textOf(theme, 'emailAddress')
  const texts = { label, placeholder: textOf(theme, 'emailPlaceholder') }
  return { email: { type: 'email', value, ...texts, ...limits } }
}

function fieldsOf(content: SignInPage, { provider: { offer } }: SignInChoice): CredentialFields {
  return offer.kind === 'form' ? offer.fields : emailFields(content)
}

function form(content: SignInPage, choice: SignInChoice, state: State): Markup {
  const { provider, routes } = choice
  const { theme, hidden, rejected, passkeys } = content
  const { id, name, offer } = provider
  const isOpen = state.main === id
  const fields = offer.kind === 'passkey' && passkeys?.forms.passkeyFields(theme, offer.fields)
  const inputs = fieldset(fields || fieldsOf(content, choice), {
    id,
    typed: rejected?.form === id ? rejected.values : {},
    error: state.rejected === id ? errorText(content) : null,
    hasFocus: isOpen,
    notice: state.hasNotice && 'notice',
    offersAutofill: state.offersAutofill,
  })
  if (offer.kind === 'passkey' && passkeys) {
    const { routesUrl, isSignedIn, forms } = passkeys
    const { autofill } = offer
    const passkey = {
      id,
      name,
      callbackUrl: routes.callbackUrl,
      routesUrl,
      hidden,
      inputs,
      autofill,
      isSignedIn,
    }
    return forms.passkeyForm(theme, passkey, isOpen ? 'open' : 'closed')
  }
  const isCredentials = offer.kind === 'form'
  const label = isCredentials ? say(theme, 'signIn') : emailLabel(theme, name)
  const submit = html`<button type="submit" class="button primary">${label}</button>`
  const action = isCredentials ? routes.callbackUrl : routes.signinUrl
  return postForm(action, hidden, html`${inputs}${submit}`)
}

/** The default name of the provider modules. */
const EMAIL_NAME = /^e-?mail$/i

function emailLabel(theme: SignInPage['theme'], name: string): Markup {
  if (!EMAIL_NAME.test(name)) return say(theme, 'continueWith', { provider: name })
  return saySpecial(theme, ['continueWithEmail', 'continueWith'], { provider: name })
}

function closedLabel({ theme }: SignInPage, { provider: { name, offer } }: SignInChoice): Markup {
  if (offer.kind === 'passkey') return say(theme, 'passkeyCreate')
  if (offer.kind === 'email') return emailLabel(theme, name)
  const isPassword = offer.kind === 'form' && name === 'Credentials' && 'password' in offer.fields
  return isPassword ? say(theme, 'usePassword') : say(theme, 'continueWith', { provider: name })
}

/** A form that opens with one click, without a script. */
function closedForm(content: SignInPage, choice: SignInChoice, state: State): Markup {
  const hidden = isPasskey(choice) && html` class="passkey" hidden`
  return html`<details${hidden}>
    <summary>${closedLabel(content, choice)}</summary>
    ${form(content, choice, state)}
  </details>`
}

/** Passkeys have both: a button for existing ones, and a form that creates one. */
function buttonOf(
  content: SignInPage,
  choice: SignInChoice,
  [index, main]: readonly [number, SignInChoice | undefined],
): Markup[] {
  const { passkeys, theme } = content
  if (passkeys && isPasskey(choice) && choice !== main)
    return [passkeys.forms.passkeyButton(theme, choice.provider)]
  return isForm(choice) ? [] : [oauthButton(content, choice, [index, !main && index === 0])]
}

function separator(
  { theme }: SignInPage,
  offered: readonly SignInChoice[],
  main: SignInChoice,
): Markup {
  // Without passkeys, there is nothing to separate.
  const needsPasskeys = isPasskey(main) || offered.every((each) => isForm(each))
  const hidden = needsPasskeys ? html`class="or passkey" hidden` : html`class="or"`
  return html`<div ${hidden} role="separator">${say(theme, 'or')}</div>`
}

/** The buttons and one form, in the order of the providers; other forms are closed. */
function methods(content: SignInPage, offered: readonly SignInChoice[], rejected: string | null) {
  const forms = offered.filter(isForm)
  const sent = rejected ?? content.rejected?.form
  const main = forms.find(({ provider: { id } }) => id === sent) ?? forms[0]
  const offersAutofill = offered.some(
    ({ provider: { offer } }) => offer.kind === 'passkey' && offer.autofill,
  )
  const hasNotice = rejected === null && Boolean(content.error)
  const state = { rejected, main: main?.provider.id, offersAutofill, hasNotice }
  const buttons = offered.flatMap((choice, index) => buttonOf(content, choice, [index, main]))
  const open = main ? [form(content, main, state)] : []
  const closed = forms.flatMap((each) => (each === main ? [] : closedForm(content, each, state)))
  const or = main !== undefined && buttons.length > 0 && separator(content, offered, main)
  const [first, second] = offered[0] === main ? [open, buttons] : [buttons, open]
  return html`${first}${or}${second}${closed}`
}

export function signInPage(content: SignInPage): Html {
  const { theme, choices, passkeys } = content
  const offered = choices.filter(({ provider }) => provider.offer.kind !== 'none')
  const rejected = rejectedId(content, offered.filter(isForm))
  // The status of a sign-out says more than that a session is required.
  const isAnnounced = content.isSignedOut && content.error === 'SessionRequired'
  const notice = rejected === null && !isAnnounced ? errorText(content) : null
  const mailHint = mailLimitText(content)
  const forms = offered.some(isPasskey) ? passkeys?.forms : undefined
  return page({
    title: say(theme, 'signInTitle', { site: siteName(content) }),
    subtitle: offered.length > 1 && say(theme, 'chooseMethod'),
    name: 'signin',
    style:
      offered.map((choice, index) => buttonStyle(theme, choice, index)).join('') +
      (forms?.PASSKEY_STYLE ?? ''),
    script: passkeys?.script,
    pictures: offered.map(logoOf),
    body: html`${content.isSignedOut && (isAnnounced || !content.error) && html`<p class="status" role="status">${say(theme, 'signedOut')}</p>`}${notice && html`<p id="notice" class="notice" role="alert">${notice}</p>`}${forms?.passkeyAlert(theme)}${
      offered.length > 0
        ? methods(content, offered, rejected)
        : html`<p class="muted foot">${say(theme, 'noMethods')}</p>`
    }${forms?.passkeySupport(theme)}${mailHint && html`<p class="foot">${mailHint}</p>`}`,
    ...content,
  })
}
