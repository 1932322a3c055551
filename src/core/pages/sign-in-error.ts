/** The error of the previous sign-in, on the sign-in page. */
import { durationText } from './duration.ts'
import { normalizeAttributes, isAddressField, isPasswordField } from './field.ts'
import { html, strong } from './html.ts'
import type { Markup } from './html.ts'
import { say, sayCode, signInErrors } from './messages.ts'
import type { PageMessage } from './messages.ts'
import { isGuest } from './sign-in-button.ts'
import type { SignedInUser, SignInChoice, SignInOffer, SignInPage } from './sign-in-content.ts'

const messages: ReadonlyMap<string, PageMessage> = new Map(Object.entries(signInErrors))

const KINDS: ReadonlyMap<string, SignInOffer['kind']> = new Map<string, SignInOffer['kind']>([
  ['CredentialsSignin', 'form'],
  ['EmailSignin', 'email'],
  ['EmailSignInError', 'email'],
])

function limitText({ theme, choices, retryAfter = 0 }: SignInPage): Markup {
  if (retryAfter === 0) return say(theme, 'tooManyAttemptsLater')
  const minutes = String(Math.ceil(retryAfter / 60))
  const time = durationText(theme, retryAfter)
  const hasOther = choices.length > 1
  return say(theme, hasOther ? 'tooManyAttemptsOr' : 'tooManyAttempts', { time, minutes })
}

/** What a form with a password asks for besides it; `null` for anything but one address or user name. */
function nameField({ provider: { offer } }: SignInChoice): 'address' | 'user' | null {
  const fields = offer.kind === 'form' ? Object.entries(offer.fields) : []
  const typed = fields.filter(
    ([name, input]) =>
      !/^(?:checkbox|hidden)$/.test(String(normalizeAttributes(name, input)['type'])),
  )
  const [[name, input] = ['', {}], ...others] = typed.filter(
    ([key, each]) => !isPasswordField(key, each),
  )
  if (others.length > 0 || typed.length !== 2) return null
  if (isAddressField(name, input)) return 'address'
  const isUser = /^(?:user|login)(?:.?name)?$/i.test(name) && !/mail/i.test(input.label ?? '')
  return isUser ? 'user' : null
}

function rejectionText(content: SignInPage): Markup {
  const { theme, choices } = content
  const rejected = rejectedId(content, choices)
  const form = choices.find(({ provider: { id } }) => id === rejected)
  if (form && isGuest(form)) return say(theme, 'signInFailed')
  const name = form ? nameField(form) : null
  if (name === null) return say(theme, 'credentialsRejected')
  return say(theme, name === 'address' ? 'passwordRejected' : 'userPasswordRejected')
}

export function isNotLinked(error: string | null): boolean {
  return error === 'OAuthAccountNotLinked' || error === 'AccountNotLinked'
}

function notLinkedText({ theme, error, code }: SignInPage, { label }: SignedInUser): Markup {
  const reason = error === 'AccountNotLinked' ? 'passkeyRejected' : 'accountOfAnotherUser'
  const text = say(theme, code === 'session_cannot_link' ? 'sessionCannotLink' : reason)
  const user = label !== null && strong(label)
  return user ? html`${say(theme, 'signedInAs', { user })} ${text}` : text
}

export function errorText(content: SignInPage): Markup | null {
  const { theme, error, code = null, signedIn } = content
  if (!error) return null
  if (error === 'TooManyAttempts') return limitText(content)
  if (error === 'CredentialsSignin') {
    // The password may be right if `authorize` has a code of its own.
    const isStandard = code === null || code === 'credentials'
    const text = isStandard ? rejectionText(content) : say(theme, 'credentialsRejected')
    return sayCode(theme, code) ?? text
  }
  if (signedIn && isNotLinked(error)) return notLinkedText(content, signedIn)
  return say(theme, messages.get(error) ?? 'signInFailed')
}

/** The form that was rejected: the one that is known, else the only one of its kind. */
export function rejectedId(
  { error, rejected, choices }: SignInPage,
  forms: readonly SignInChoice[],
): string | null {
  const kind = error === null ? undefined : KINDS.get(error)
  const isSuspect = ({ provider: { offer } }: SignInChoice) => offer.kind === kind
  const suspects = forms.filter(isSuspect)
  const [only = null] = suspects.length === 1 ? suspects : []
  const sent = choices.find((each) => each.provider.id === rejected?.form && isSuspect(each))
  const found = !sent ? only : suspects.includes(sent) ? sent : null
  return found?.provider.id ?? null
}
