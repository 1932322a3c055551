/** The expected response to each fault, and the cases in which the action cannot be repeated. */
import type { Place } from './cell.ts'
import type { Plan } from './recorder.ts'

/** Describes a cell: the call, the letter and name of the fault, and the flow. */
export function describePlan({ call, fault }: Plan, { flow }: Place): string {
  return `${call.split(' (')[0]}: ${fault.kind} ${fault.name}, ${flow.name}`
}

/** The response asks the user or the client to try again. */
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
  // The outcome depends on the calls that follow, which differ by session strategy.
  [/^adapter\.updateAccount: F[12]\+/, [...DONE, ...LATER]],
  [/^adapter\.deleteSession: F1\+.*, signing out/, LATER],
  [/^fetch GET .*openid-configuration: F1\+/, SIGN_IN_ERROR],
  [/^fetch .*: F1\+/, CALLBACK_ERROR],

  // Event handlers and best-effort updates do not change the outcome.
  [/^event\./, DONE],
  // A failed sign-out must be reported.
  [/^adapter\.deleteSession: F(?:2|6.*never).*, signing out/, [...DONE, ...LATER]],
  [/^adapter\.(?:updateAccount|updateSession|deleteSession)/, DONE],

  [/^adapter\.getSessionAndUser/, NOT_KNOWN],
  // A committed write counts even if its response is lost; the return value of a write is not trusted.
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

  // The mail may still be sent.
  [/^mail\.send: F(?:2|3|6.*never)/, DONE],
  [/^mail\.send/, ['EmailSignInError']],

  [/^authorize: F3 answers (?:null|undefined)/, ['CredentialsSignin']],
  [/^authorize: F(?:1|3|6.*lost)/, ['Configuration']],
  [/^authorize/, LATER],
]

/** The allowed responses. */
export function answersTo(place: Place, plan: Plan): readonly string[] {
  const text = describePlan(plan, place)
  const row = ANSWERS.find(([pattern]) => pattern.test(text))
  if (!row) throw new Error(`There is no expected response for ${text}.`)
  return row[1]
}

/** A problem that is accepted after a fault, with the reason. */
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
      'The row of the link is deleted, and its content is unknown. In a browser that did not request the link, restoring it would make any token valid. The user can request another link at once.',
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
    reason: 'The object that the application returns is the token, and this one has no user.',
  },
]

/** The exception for what is left, if there is one. */
export function exceptionFor(place: Place, plan: Plan, left: string): Exception | undefined {
  return EXCEPTIONS.find(
    ({ cells, left: expected }) => cells.test(describePlan(plan, place)) && expected.test(left),
  )
}
