/** Limits on guessing, e-mails and failures: the option `protection`. */
import type { Awaitable, Hook } from '../types.ts'

/** Apart from the rates, so that the check of the options does not load them. */
export const LIMIT_NAMES = [
  'password',
  'password.account',
  'password.day',
  'password.hosts',
  'password.known',
  'password.known.account',
  'password.known.day',
  'password.known.hosts',
  'address',
  'address.known',
  'known',
  'mail',
  'mail.hosts',
  'mail.known',
  'mail.known.recipient',
  'mail.known.hosts',
  'mail.address',
  'code',
  'code.user',
  'code.day',
  'code.hosts',
  'code.known',
  'code.known.user',
  'code.known.day',
  'code.known.hosts',
  'secondStep',
  'secondStep.user',
  'secondStep.day',
  'secondStep.hosts',
  'passkey',
  'callback',
  'backChannel',
  'notice',
  'emailChange',
] as const

/**
 * A limit. Without `.known` in its name, it counts attempts in unknown browsers, and with it those in known ones.
 *
 * `password`: account and client address; `.account`, `.day`: account; `.known`: account and browser, `.known.account` and
 * `.known.day`: account in all known browsers. `address`: client address, failed passwords; `.known`: passwords, codes and
 * e-mails. `mail`: recipient; `.known`: recipient and browser; `.known.recipient`: recipient in all known browsers;
 * `.address`: client address, in all browsers. `code`: authorization transaction; `.user`, `.day`: address of the e-mail;
 * `.known`: this address and browser; `.known.user`, `.known.day`: this address in all known browsers. `known`: browsers
 * that become known for an account. `notice`: notices to a user; `emailChange`:
 * changes of the address that a user requests. `.hosts`, `.known.hosts`: account or mailbox at all hosts together, unless `origin` or
 * `trustedHosts` names the host. `passkey`, `callback`: failures by client address. `secondStep`: sign-in that waits
 * for its second step; `.user`, `.day`: user. `backChannel` is reserved, and limits nothing. A name without a point, set
 * to `off`, switches off those with it, too.
 */
export type LimitName = (typeof LIMIT_NAMES)[number]

/** `burst` attempts at once; `per`: seconds until the whole burst is available again. */
export interface LimitOptions {
  readonly burst: number
  readonly per: number
}

/** A limit and the key that is charged against it. */
export interface RateLimit extends LimitOptions {
  /** At most 191 characters; an HMAC, so it contains no address. */
  readonly key: string
}

/** Whether an attempt is within a limit. */
export interface RateDecision {
  readonly allowed: boolean
  /** Seconds until one attempt is available; 0 if it is allowed. */
  readonly retryAfter: number
  /** Charges in use, including this one. {@link Attempt.failures} and tries of codes that were not sent need it. */
  readonly used?: number
}

/** Counts attempts. Of concurrent calls, in all processes, not more than `burst` are allowed. */
export interface RateLimitStore {
  /**
   * Charges all rates, or none if one is exhausted. Returns a decision for each.
   *
   * @param now - milliseconds since the epoch
   */
  take(rates: readonly RateLimit[], now: number): Awaitable<readonly RateDecision[]>
  /** Refunds one charge of each rate. */
  giveBack(rates: readonly RateLimit[], now: number): Awaitable<void>
}

/** An attempt that is within its limits. */
export interface Attempt {
  /** `secondStep` is reserved. */
  readonly kind: 'password' | 'mail' | 'code' | 'secondStep' | 'passkey'
  /** HMAC of the account or recipient, which is the same in every attempt; `null` if the request names none. */
  readonly account: string | null
  /** The client address, an IPv6 address as its /64; `null` if it is unknown. */
  readonly address: string | null
  /** Failed attempts for the account, minus one for every 30 days; `null` without an account or a count of the store. */
  readonly failures: number | null
  /** The signed-in user who causes a mail by `account.changeEmail`; `null`: a visitor, or a user in a form of the library. */
  readonly userId: string | null
  /** The field `challenge` of the request: the answer to a challenge. */
  readonly challenge: string | null
}

/** Where the client address is: in the header, `hops` from the right of its list (default 1). */
export interface ClientAddressHeader {
  readonly header: string
  readonly hops?: number | undefined
}

/** Options for limits. */
export interface ProtectionOptions {
  /** Rates that replace the default ones. @default {} */
  limits?: Partial<Record<LimitName, LimitOptions | 'off'>> | undefined
  /** Counts attempts. @default the option `store` or the adapter, if it stores records; else the memory of the process */
  store?: RateLimitStore | undefined
  /**
   * The address of the client. A header is safe only if the platform or proxy overwrites or appends it; with `hops`, the
   * number of own proxies that append to it. A function receives the headers and returns an address or `null`.
   * @default 'none', or the header of the platform if `VERCEL` or `CF_PAGES` is set
   */
  clientAddress?: 'none' | ClientAddressHeader | Hook<[headers: Headers], string | null> | undefined
  /**
   * The account that submitted credentials name. Return the same text for all spellings that `authorize` accepts. The
   * request is the one that `authorize` receives. The same text is another account at another host.
   * @default the fields email, username, login and phone
   */
  identifier?:
    | Hook<[credentials: Readonly<Record<string, unknown>>, request: Request], string | null>
    | undefined
  /**
   * Called for an attempt within its limits, for at most 2 s. `challenge` rejects it with `ChallengeRequired`; verify
   * the answer, in {@link Attempt.challenge}, here. `refuse` rejects it with `TooManyAttempts`.
   * @default 'allow'
   */
  onAttempt?: Hook<[attempt: Attempt], Awaitable<'allow' | 'refuse' | 'challenge'>> | undefined
  /** `remembered`: a cookie separates browsers that have signed in to an account from others. @default 'remembered' */
  knownBrowsers?: 'remembered' | 'off' | undefined
}

/** The options with their defaults. */
export interface Protection extends Readonly<Omit<ProtectionOptions, 'store' | 'clientAddress'>> {
  /** Undefined: the client address is unknown. */
  readonly clientAddress: Exclude<ProtectionOptions['clientAddress'], 'none'>
  /** The store of the application; `null`: records, else the memory of the process. */
  readonly store: () => Awaitable<RateLimitStore | null>
}
