/** What each fault may look like to the person it hits, and the few cases in which they cannot simply try again. */
import type { Place } from './cell.ts'
import type { Plan } from './record.ts'

/** One cell, as text: the call, the letter of the fault and its name, and what the person does. */
export function describePlan({ call, fault }: Plan, { flow }: Place): string {
  return `${call.split(' (')[0]}: ${fault.kind} ${fault.name}, ${flow.name}`
}

/** Repeating the same action may help, and the page, or the program, is told so. */
const LATER = ['TemporarilyUnavailable']
/** The same for what depends on the session. */
const NOT_KNOWN = ['SessionUnavailable', '503 SessionUnavailable', ...LATER]
const CALLBACK_ERROR = ['OAuthCallbackError', ...LATER]
const SIGN_IN_ERROR = ['OAuthSignInError', ...LATER]
/** Signed in or out, and at the start page. */
const HOME = ['home']
/** The same, or it did not matter. */
const ANYWHERE = ['home', 'done']
const DONE = ['done']

/** First match wins. */
const ANSWERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/: F4/, DONE],
  // What follows decides: whether there is anything, depends on where sessions are.
  [/^adapter\.updateAccount: F[12]\+/, [...DONE, ...LATER]],
  [/^adapter\.deleteSession: F1\+.*, signing out/, LATER],
  [/^fetch GET .*openid-configuration: F1\+/, SIGN_IN_ERROR],
  [/^fetch .*: F1\+/, CALLBACK_ERROR],

  // Who listens decides nothing; nor does what is kept up to date on the way.
  [/^event\./, DONE],
  // Whoever signs out has to know that it may not have worked.
  [/^adapter\.deleteSession: F(?:2|6.*never).*, signing out/, [...DONE, ...LATER]],
  [/^adapter\.(?:updateAccount|updateSession|deleteSession)/, DONE],

  [/^adapter\.getSessionAndUser/, NOT_KNOWN],
  // What was written counts, even if nobody said so; and what is answered to a write is worth nothing.
  [/^adapter\.(?:createUser|linkAccount|transaction): F[36]/, [...DONE, ...LATER]],
  [/^adapter\.(?:createSession|linkAccount|createVerificationToken|unlinkAccount): F3/, DONE],
  [/^adapter\.delete(?:VerificationTokens|UserSessions): F3/, DONE],
  [/^adapter\./, LATER],

  [/^callback\.signIn: F3 answers (?:null|undefined)/, ['AccessDenied']],
  [/^callback\.signIn: F3 answers text/, HOME],
  [/^callback\.signIn: F3/, DONE],
  [/^callback\.signIn: F(?:1|6.*lost)/, ['AccessDenied']],
  [/^callback\.signIn/, LATER],
  [/^callback\.redirect: F3/, ANYWHERE],
  [/^callback\.redirect: F(?:1|6.*lost)/, ['Configuration', 'OAuthSignInError']],
  [/^callback\.redirect/, SIGN_IN_ERROR],
  [/^callback\.jwt: F3 answers (?:null|\{\})/, DONE],
  [/^callback\.session: F3 answers (?:null|undefined|\{\})/, DONE],
  [/^callback\.(?:jwt|session)/, NOT_KNOWN],

  // Asked once more when the connection fails.
  [/^fetch GET .*: F(?:1|6.*lost)/, DONE],
  [/^fetch GET .*openid-configuration/, SIGN_IN_ERROR],
  [/^fetch /, CALLBACK_ERROR],

  // It may still arrive.
  [/^mail\.send: F(?:2|3|6.*never)/, DONE],
  [/^mail\.send/, ['EmailSignInError']],

  [/^authorize: F3 answers (?:null|undefined)/, ['CredentialsSignin']],
  [/^authorize: F(?:1|3|6.*lost)/, ['Configuration']],
  [/^authorize/, LATER],
]

/** What the answer may be. */
export function answersTo(place: Place, plan: Plan): readonly string[] {
  const text = describePlan(plan, place)
  const row = ANSWERS.find(([pattern]) => pattern.test(text))
  if (!row) throw new Error(`What is to be expected of ${text} is not written down.`)
  return row[1]
}

/** Something that a fault may leave behind, and why that is right. */
export interface Exception {
  readonly cells: RegExp
  /** What is left, as the checks say it. */
  readonly left: RegExp
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    cells: /^adapter\.useVerificationToken: F(?:3|6).*a link in another browser/,
    left: /second attempt ends in Verification/,
    reason:
      'The link is deleted, and the database did not say what it was: to make it good again would make anything good that somebody types in, where the browser is not the one that asked. Another link can be asked for at once.',
  },
  {
    cells: /^adapter\.updateSession: F6.*, reading a session that is due/,
    left: /the outcome is another one/,
    reason:
      'The session is extended where it counts; the cookie still ends when it did before, and is written anew when the next extension is due.',
  },
  {
    cells: /^callback\.jwt: F3 answers null/,
    left: /the outcome is another one|the session is gone/,
    reason: 'With null the application ends the session: that is what it is documented to mean.',
  },
  {
    cells: /^callback\.jwt: F3 answers \{\}/,
    left: /the outcome is another one/,
    reason: 'Whatever object the application returns is the token, so this one is about nobody.',
  },
]

/** The exception for what is left, if there is one. */
export function exceptionFor(place: Place, plan: Plan, left: string): Exception | undefined {
  return EXCEPTIONS.find(
    ({ cells, left: expected }) => cells.test(describePlan(plan, place)) && expected.test(left),
  )
}
