/** The expected response to each fault, and the cases in which the action cannot be repeated. */
import type { Place } from './cell.ts'
import type { Plan } from './recorder.ts'

/** Describes a cell: the call, the letter and name of the fault, and the flow. */
export function describePlan({ call, fault }: Plan, { flow }: Place): string {
  return `${call.split(' (')[0]}: ${fault.kind} ${fault.name}, ${flow.name}`
}

/** The response asks the user or the client to try again. */
const LATER = ['TemporarilyUnavailable']
/** The same for a request that depends on the session. */
const UNAVAILABLE = ['SessionUnavailable', '503 SessionUnavailable', ...LATER]
const CALLBACK_ERROR = ['OAuthCallbackError', ...LATER]
const SIGN_IN_ERROR = ['OAuthSignInError', ...LATER]
/** Signed in or out, and at the start page. */
const HOME = ['home']
/** At the start page, or at the requested page. */
const ANYWHERE = ['home', 'done']
const DONE = ['done']

/** First match wins. */
const ANSWERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/: F4/, DONE],
  // The outcome depends on the calls that follow, which differ by session strategy.
  [/^adapter\.(?:updateAccount|readRecords|writeRecord)(?: \(\d\))?: F[12]\+/, [...DONE, ...LATER]],
  [/^adapter\.deleteSession: F1\+.*, signing out/, LATER],
  [/^fetch GET .*openid-configuration: F1\+/, SIGN_IN_ERROR],
  [/^fetch .*: F1\+/, CALLBACK_ERROR],

  // The memory of the process replaces a store of limits that fails.
  [/^adapter\.(?:readRecords|writeRecord)/, DONE],

  // Event handlers and best-effort updates do not change the outcome.
  [/^event\./, DONE],
  // A failed sign-out must be reported.
  [/^adapter\.deleteSession: F(?:2|6.*never).*, signing out/, [...DONE, ...LATER]],
  [/^adapter\.(?:updateAccount|updateSession|deleteSession)/, DONE],

  [/^adapter\.getSessionAndUser/, UNAVAILABLE],
  // A committed write counts even if its response is lost; the return value of a write is not trusted.
  [/^adapter\.(?:createUser|linkAccount|transaction): F[36]/, [...DONE, ...LATER]],
  [/^adapter\.(?:createSession|linkAccount|createVerificationToken|unlinkAccount): F3/, DONE],
  [/^adapter\.delete(?:VerificationTokens|UserSessions): F3/, DONE],
  // Open links are then not counted.
  [/^adapter\.(?:readRecords|writeRecord).*, requesting a magic link/, DONE],
  // Whether the user needs a second step stays unknown.
  [/^adapter\.getUser: F[12]\+.*, sign-in with a password, jwt sessions$/, LATER],
  // The session is that of a user who is not stored.
  [/^adapter\.getUser: .*, sign-in with a password, jwt sessions$/, DONE],
  [/^adapter\./, LATER],

  [/^callback\.signIn: F3 returns (?:null|undefined)/, ['AccessDenied']],
  [/^callback\.signIn: F3 returns text/, HOME],
  [/^callback\.signIn: F3/, DONE],
  [/^callback\.signIn: F(?:1|6.*lost)/, ['AccessDenied']],
  [/^callback\.signIn/, LATER],
  [/^callback\.redirect: F3/, ANYWHERE],
  [/^callback\.redirect: F(?:1|6.*lost)/, ['Configuration', 'OAuthSignInError']],
  [/^callback\.redirect/, SIGN_IN_ERROR],
  [/^callback\.jwt: F3 returns (?:null|\{\})/, DONE],
  [/^callback\.session: F3 returns (?:null|undefined|\{\})/, DONE],
  [/^callback\.(?:jwt|session)/, UNAVAILABLE],

  // Requested once more after a connection error.
  [/^fetch GET .*: F(?:1|6.*lost)/, DONE],
  [/^fetch GET .*openid-configuration/, SIGN_IN_ERROR],
  [/^fetch /, CALLBACK_ERROR],

  // The mail may still be sent.
  [/^mail\.send: F(?:2|3|6.*never)/, DONE],
  [/^mail\.send/, ['EmailSignInError']],

  [/^authorize: F3 returns (?:null|undefined)/, ['CredentialsSignin']],
  [/^authorize: F(?:1|3|6.*lost)/, ['Configuration']],
  [/^authorize/, LATER],
]

/** The allowed responses. */
export function answersTo(place: Place, plan: Plan): readonly string[] {
  const text = `${describePlan(plan, place)}, ${place.strategy} sessions`
  const row = ANSWERS.find(([pattern]) => pattern.test(text))
  if (!row) throw new Error(`There is no expected response for ${text}.`)
  return row[1]
}

/** A problem that is accepted after a fault, with the reason. */
export interface Exception {
  readonly cells: RegExp
  /** The remaining problem, as the checks report it. */
  readonly left: RegExp
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    cells: /^adapter\.useVerificationToken: F(?:3|6).*a link in another browser/,
    left: /repeated action ends in Verification/,
    reason:
      'The row of the link is deleted, and its content is unknown. In a browser that did not request the link, restoring it would make any token valid. The user can request another link at once.',
  },
  {
    cells: /^adapter\.useVerificationToken: F(?:3|6).*, entering (?:a|the) (?:wrong )?code/,
    left: /repeated action ends in Verification|the outcome is another one|0 (?:users|sessions)/,
    reason:
      'The row of the try is deleted, and the code was not compared. Restoring the row could add tries: a concurrent request may have used it. The user can request another code at once.',
  },
  {
    cells: /^adapter\.createVerificationToken: F[12].*, entering a wrong code/,
    left: /the outcome is another one|0 (?:users|sessions)/,
    reason:
      'The remaining tries are in the row that could not be stored; a cookie that replaces it could be replayed.',
  },
  {
    cells:
      /^adapter\.(?:useVerificationToken|writeRecord): F[12]\+.*, entering the fifth wrong code/,
    left: /repeated action ends in TooManyAttempts/,
    reason: 'The store of the limits is down as well, so the charge is not refunded.',
  },
  {
    cells: /^adapter\.updateSession: F6.*, reading a session that is due/,
    left: /the outcome is another one/,
    reason:
      'The stored session is extended; the cookie keeps its expiry until the next extension sets it again.',
  },
  {
    cells: /^callback\.jwt: F3 returns null/,
    left: /the outcome is another one|the session is gone/,
    reason: 'Returning null is the documented way to end the session.',
  },
  {
    cells: /^callback\.jwt: F3 returns \{\}/,
    left: /the outcome is another one/,
    reason: 'The object that the application returns is the token, and this one has no user.',
  },
]

/** The exception for a remaining problem, if there is one. */
export function exceptionFor(place: Place, plan: Plan, left: string): Exception | undefined {
  return EXCEPTIONS.find(
    ({ cells, left: expected }) => cells.test(describePlan(plan, place)) && expected.test(left),
  )
}
