/** The error of the previous sign-in, on the sign-in page. */
import type { Markup } from './html.ts'
import { say, sayCode, signInErrors } from './messages.ts'
import type { PageMessage } from './messages.ts'
import type { SignInOffer } from './sign-in-offer.ts'
import type { SignInChoice, SignInPage } from './sign-in-page.ts'

const messages: ReadonlyMap<string, PageMessage> = new Map(Object.entries(signInErrors))

const KINDS: ReadonlyMap<string, SignInOffer['kind']> = new Map<string, SignInOffer['kind']>([
  ['CredentialsSignin', 'form'],
  ['EmailSignin', 'email'],
  ['EmailSignInError', 'email'],
])

function limitText({ theme, choices, retryAfter = 0 }: SignInPage): Markup {
  if (retryAfter === 0) return say(theme, 'tooManyAttemptsLater')
  const minutes = String(Math.ceil(retryAfter / 60))
  const hasOther = choices.length > 1
  return say(theme, hasOther ? 'tooManyAttemptsOr' : 'tooManyAttempts', { minutes })
}

export function errorText(content: SignInPage): Markup | null {
  const { theme, error, code = null } = content
  if (!error) return null
  if (error === 'TooManyAttempts') return limitText(content)
  const custom = error === 'CredentialsSignin' ? sayCode(theme, code) : null
  return custom ?? say(theme, messages.get(error) ?? 'signInFailed')
}

/** The form that was rejected: the one that is known, else the only one of its kind. */
export function rejectedId(
  { error, rejected }: SignInPage,
  forms: readonly SignInChoice[],
): string | null {
  const kind = error === null ? undefined : KINDS.get(error)
  const suspects = forms.filter(({ provider: { offer } }) => offer.kind === kind)
  const [only] = suspects.length === 1 ? suspects : []
  const found = suspects.find(({ provider: { id } }) => id === rejected?.form) ?? only
  return found?.provider.id ?? null
}
