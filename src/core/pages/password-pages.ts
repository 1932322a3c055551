/** The pages about passwords. */
import type { CredentialFields } from '../config/credentials.ts'
import { durationText } from './duration.ts'
import { fieldset } from './field.ts'
import { html, postForm, strong } from './html.ts'
import type { Html, Markup, PostForm } from './html.ts'
import { page, siteName } from './layout.ts'
import type { Site } from './layout.ts'
import { fill, readText, say, sayCode } from './messages.ts'
import type { Texts } from './messages.ts'
import { englishPasswords } from './password-messages.ts'
import type { PasswordMessage } from './password-messages.ts'

type Values = Readonly<Record<string, string | Markup | undefined>>

function readPasswordText({ messages }: Texts, name: PasswordMessage): string {
  // The application may have set another value.
  const own: unknown = messages?.[name]
  return typeof own === 'string' ? own : englishPasswords[name]
}

export function tell(texts: Texts, name: PasswordMessage, values: Values = {}): Markup {
  return fill(readPasswordText(texts, name), values)
}

export interface PasswordPage extends Site, PostForm {
  /** Characters of a new password, at least. */
  readonly minLength: number
  /** The rejection of the form that was sent last. */
  readonly error: string | null
  readonly code: string | null
  /** Seconds until the next attempt; 0: unknown. */
  readonly retryAfter: number
  /** The address that was typed in last, or that of the user. */
  readonly email: string
  readonly signInUrl: string
  readonly homeUrl: string
}

const REJECTIONS: Readonly<Record<string, PasswordMessage>> = {
  too_short: 'passwordTooShort',
  common: 'passwordCommon',
  conflict: 'passwordConflict',
}

function errorText(content: PasswordPage): Markup | null {
  const { theme, error, code, minLength, retryAfter } = content
  if (error === null) return null
  if (error === 'PasswordRejected') {
    const name = REJECTIONS[code ?? ''] ?? 'passwordUnusable'
    return sayCode(theme, code) ?? tell(theme, name, { count: String(minLength) })
  }
  if (error === 'CredentialsSignin') return tell(theme, 'currentRejected')
  if (error === 'EmailSignInError') return say(theme, 'mailNotSent')
  if (error === 'ChallengeRequired') return say(theme, 'challengeRequired')
  if (error === 'TooManyAttempts')
    return retryAfter > 0
      ? say(theme, 'tooManyAttempts', { time: durationText(theme, retryAfter) })
      : say(theme, 'tooManyAttemptsLater')
  return say(theme, 'signInFailed')
}

function addressField({ theme, email }: PasswordPage, isFixed: boolean): CredentialFields[string] {
  return {
    type: 'email',
    label: readText(theme, 'emailAddress'),
    value: email,
    autocomplete: 'username',
    maxLength: 254,
    ...(isFixed ? { readonly: true } : { placeholder: readText(theme, 'emailPlaceholder') }),
    required: true,
  }
}

function newPassword({ theme, minLength }: PasswordPage): CredentialFields[string] {
  return {
    type: 'password',
    label: readPasswordText(theme, 'newPassword'),
    autocomplete: 'new-password',
    'aria-describedby': 'password-rule',
    minLength,
    required: true,
  }
}

/** The rule for the new password is read out with the field. */
function rule({ theme, minLength }: PasswordPage): Markup {
  return html`<p id="password-rule" class="muted rule">
    ${tell(theme, 'passwordLength', { count: String(minLength) })}
  </p>`
}

const RULE_STYLE = '.rule { margin: -0.5rem 0 1rem; font-size: 0.875rem; }\n'

interface Form {
  readonly fields: CredentialFields
  readonly button: PasswordMessage
  readonly hasRule?: boolean
}

function form(content: PasswordPage, { fields, button, hasRule }: Form): Markup {
  const { action, hidden, theme } = content
  const error = errorText(content)
  const isOfField = content.error === 'PasswordRejected' || content.error === 'CredentialsSignin'
  const state = {
    id: 'password',
    typed: { email: content.email },
    error: isOfField ? error : null,
    hasFocus: true,
    notice: error !== null && !isOfField && 'notice',
  } as const
  const { password: last, ...others } = fields
  // The current password is a field of its own, which a rejected new one leaves valid.
  const isOfLast = content.error === 'PasswordRejected' && last !== undefined
  const inputs = isOfLast
    ? html`${fieldset(others, { ...state, error: null, hasFocus: false })}${fieldset({ password: last }, state)}${rule(content)}`
    : html`${fieldset(fields, state)}${hasRule === true && rule(content)}`
  const submit = html`<button type="submit" class="button primary">${tell(theme, button)}</button>`
  const notice =
    error && !isOfField && html`<p id="notice" class="notice" role="alert">${error}</p>`
  return html`${notice}${postForm(action, hidden, html`${inputs}${submit}`)}`
}

function foot(url: string, text: Markup): Markup {
  return html`<p class="foot"><a href="${url}">${text}</a></p>`
}

export function forgotPage(content: PasswordPage): Html {
  const { theme, signInUrl } = content
  return page({
    ...content,
    title: tell(theme, 'forgotTitle'),
    subtitle: tell(theme, 'forgotText'),
    name: 'password',
    body: html`${form(content, { fields: { email: addressField(content, false) }, button: 'forgotButton' })}${foot(signInUrl, say(theme, 'signIn'))}`,
  })
}

export function resetPage(content: PasswordPage): Html {
  const { theme } = content
  const password = { ...newPassword(content), autofocus: true }
  const fields = { email: addressField(content, true), password }
  return page({
    ...content,
    title: tell(theme, 'resetTitle'),
    subtitle: tell(theme, 'resetText'),
    name: 'password',
    style: RULE_STYLE,
    body: form(content, { fields, button: 'resetButton', hasRule: true }),
  })
}

export function signUpPage(content: PasswordPage): Html {
  const { theme, signInUrl } = content
  const fields = { email: addressField(content, false), password: newPassword(content) }
  return page({
    ...content,
    title: tell(theme, 'signUpTitle'),
    subtitle: html`${siteName(content)}`,
    name: 'password',
    style: RULE_STYLE,
    body: html`${form(content, { fields, button: 'signUpButton', hasRule: true })}${foot(signInUrl, tell(theme, 'signUpKnown'))}`,
  })
}

/** In another browser than that of the sign-up. */
export function verifyPage(content: PasswordPage): Html {
  const { theme } = content
  const password = {
    type: 'password',
    label: readText(theme, 'password'),
    autocomplete: 'current-password',
    required: true,
  }
  return page({
    ...content,
    title: tell(theme, 'verifyTitle'),
    subtitle: tell(theme, 'verifyText'),
    name: 'password',
    body: form(content, { fields: { password }, button: 'signUpButton' }),
  })
}

export interface ChangePage extends PasswordPage {
  readonly hasPassword: boolean
  readonly isDone: boolean
}

export function changePage(content: ChangePage): Html {
  const { theme, hasPassword, isDone, homeUrl } = content
  const current = {
    type: 'password',
    label: readPasswordText(theme, 'currentPassword'),
    autocomplete: 'current-password',
    autofocus: true,
    required: true,
  }
  const fields: CredentialFields = {
    email: addressField(content, true),
    ...(hasPassword && { current }),
    password: { ...newPassword(content), autofocus: !hasPassword },
  }
  const status = isDone && html`<p class="status" role="status">${tell(theme, 'changeDone')}</p>`
  return page({
    ...content,
    title: tell(theme, hasPassword ? 'changeTitle' : 'firstTitle'),
    name: 'password',
    style: RULE_STYLE,
    body: html`${status}${form(content, { fields, button: 'resetButton', hasRule: true })}${foot(homeUrl, say(theme, 'startPage'))}`,
  })
}

export interface SentPage extends Site {
  /** The address that this browser has typed in; `null`: another browser has. */
  readonly email: string | null
  /** For which the link is valid, in seconds. */
  readonly maxAge: number
  readonly againUrl: string
}

export function sentPage(content: SentPage): Html {
  const { theme, email, maxAge, againUrl } = content
  const time = durationText(theme, maxAge)
  const text =
    email === null
      ? tell(theme, 'passwordMailSentAny')
      : tell(theme, 'passwordMailSent', { address: strong(email), time })
  return page({
    ...content,
    title: say(theme, 'checkMailTitle'),
    subtitle: text,
    name: 'password',
    body: foot(againUrl, say(theme, 'anotherAddress')),
  })
}

export interface DonePage extends Site {
  /** Leads to the review. */
  readonly signInUrl: string
  /** Whether the user has other sign-in methods to review. */
  readonly hasReview: boolean
}

export function donePage(content: DonePage): Html {
  const { theme, signInUrl, hasReview } = content
  return page({
    ...content,
    title: tell(theme, 'resetDoneTitle'),
    subtitle: tell(theme, hasReview ? 'resetDoneReview' : 'resetDoneText'),
    name: 'password',
    body: html`<a class="button primary" href="${signInUrl}">${say(theme, 'signIn')}</a>`,
  })
}

/** For a link that cannot be used, from which a new one can be requested. */
export function invalidLinkPage(content: Site & { readonly againUrl: string }): Html {
  const { theme, againUrl } = content
  return page({
    ...content,
    title: tell(theme, 'passwordLinkTitle'),
    subtitle: tell(theme, 'passwordLinkText'),
    name: 'password',
    body: html`<a class="button primary" href="${againUrl}">${say(theme, 'sendAgain')}</a>`,
  })
}
