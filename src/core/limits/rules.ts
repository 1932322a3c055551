/** The limits, and which of them an attempt is charged against. */
import type {
  LimitName,
  LimitOptions,
  Protection,
  RateLimit,
} from '../config/protection-options.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What a limit counts by. `everywhere`: the name of an account or mailbox, at all hosts that clients can choose. */
export type LimitKey =
  | 'account'
  | 'address'
  | 'device'
  | 'everywhere'
  | 'owner'
  | 'provider'
  | 'recipient'
  | 'transaction'
  | 'user'

/** HMACs of what is counted; several accounts if a form names several. */
export type KeyHashes = Readonly<Partial<Record<LimitKey, readonly string[]>>>

export interface Rule {
  readonly by: readonly LimitKey[]
  /** The default rate, or another limit, whose rate applies so many times. */
  readonly rate: LimitOptions | { readonly like: LimitName; readonly times: number }
  /** Whether the time grows as well, so that only the attempts at once are more. */
  readonly isSteady?: true
  /** Replaces the default rate if the client address is unknown. */
  readonly withoutAddress?: LimitOptions
}

const limit = (burst: number, per: number, ...by: readonly LimitKey[]): Rule => ({
  by,
  rate: { burst, per },
})

const like = (name: LimitName, times: number, ...by: readonly LimitKey[]): Rule => ({
  by,
  rate: { like: name, times },
})

export const RULES: Readonly<Record<LimitName, Rule>> = {
  password: limit(5, 15 * MINUTE, 'account', 'address'),
  'password.account': {
    ...limit(30, HOUR, 'account'),
    withoutAddress: { burst: 10, per: 15 * MINUTE },
  },
  'password.day': limit(100, DAY, 'account'),
  'password.hosts': like('password.day', 10, 'everywhere'),
  'password.known': limit(10, 15 * MINUTE, 'account', 'device'),
  // Whoever once had the password may have any number of known browsers.
  'password.known.account': like('password.known', 3, 'account'),
  'password.known.day': limit(100, DAY, 'account'),
  // Not those of unknown browsers, which an attacker could exhaust to lock the owner out.
  'password.known.hosts': like('password.known.day', 10, 'everywhere'),
  address: limit(20, 15 * MINUTE, 'address'),
  'address.known': like('address', 3, 'address'),
  known: limit(10, DAY, 'owner'),
  mail: limit(3, 15 * MINUTE, 'recipient'),
  'mail.hosts': { ...like('mail', 10, 'everywhere'), isSteady: true },
  'mail.known': like('mail', 1, 'recipient', 'device'),
  'mail.known.recipient': like('mail.known', 2, 'recipient'),
  'mail.known.hosts': { ...like('mail.known.recipient', 10, 'everywhere'), isSteady: true },
  'mail.address': limit(10, 15 * MINUTE, 'address'),
  // Only for a transaction of 10 minutes: see `RateOptions.lifetime`.
  code: limit(5, 5 * 10 * MINUTE, 'transaction'),
  'code.user': limit(10, 15 * MINUTE, 'user'),
  'code.day': limit(50, DAY, 'user'),
  'code.hosts': like('code.day', 10, 'everywhere'),
  'code.known': like('code.user', 1, 'user', 'device'),
  'code.known.user': like('code.known', 2, 'user'),
  'code.known.day': limit(50, DAY, 'user'),
  'code.known.hosts': like('code.known.day', 10, 'everywhere'),
  secondStep: limit(5, 5 * 10 * MINUTE, 'transaction'),
  'secondStep.user': limit(10, 15 * MINUTE, 'user'),
  'secondStep.day': limit(50, DAY, 'user'),
  'secondStep.hosts': like('secondStep.day', 10, 'everywhere'),
  passkey: limit(30, 5 * MINUTE, 'address'),
  callback: limit(60, 5 * MINUTE, 'address'),
  backChannel: limit(100, 10, 'provider'),
  notice: limit(20, HOUR, 'owner'),
  emailChange: limit(5, HOUR, 'owner'),
}

/** An attempt; `.known`: from a known browser. `known`: a browser becomes known. */
export type LimitKind =
  | 'known'
  | 'password'
  | 'password.known'
  | 'mail'
  | 'mail.known'
  | 'code'
  | 'code.known'
  | 'secondStep'
  | 'passkey'
  | 'callback'
  | 'notice'
  | 'emailChange'

/** Which limits an attempt is charged against. */
const CHARGED: Readonly<Record<LimitKind, readonly LimitName[]>> = {
  password: ['password', 'password.account', 'password.day', 'password.hosts', 'address'],
  'password.known': [
    'password.known',
    'password.known.account',
    'password.known.day',
    'password.known.hosts',
    'address.known',
  ],
  known: ['known'],
  mail: ['mail', 'mail.hosts', 'mail.address'],
  // By client address as well: an attacker with mailboxes of their own could otherwise send any number of e-mails.
  'mail.known': [
    'mail.known',
    'mail.known.recipient',
    'mail.known.hosts',
    'mail.address',
    'address.known',
  ],
  code: ['code', 'code.user', 'code.day', 'code.hosts'],
  'code.known': [
    'code',
    'code.known',
    'code.known.user',
    'code.known.day',
    'code.known.hosts',
    'address.known',
  ],
  secondStep: ['secondStep', 'secondStep.user', 'secondStep.day', 'secondStep.hosts'],
  passkey: ['passkey'],
  callback: ['callback'],
  notice: ['notice'],
  emailChange: ['emailChange'],
}

export interface RateOptions {
  readonly limits: Readonly<Partial<Record<string, LimitOptions | 'off'>>>
  /** Seconds for which the transaction is valid: five attempts are available in this time. */
  readonly lifetime?: number | undefined
}

/** `null`: switched off. */
function findRate(name: LimitName, hashes: KeyHashes, options: RateOptions): LimitOptions | null {
  const { limits, lifetime } = options
  const { by, rate, isSteady, withoutAddress } = RULES[name]
  const [whole = name] = name.split('.')
  const configured = limits[whole] === 'off' ? 'off' : limits[name]
  if (configured) return configured === 'off' ? null : configured
  if ('like' in rate) {
    const { like: other, times } = rate
    const found = findRate(other, hashes, options)
    return found && { burst: found.burst * times, per: isSteady ? found.per * times : found.per }
  }
  if (withoutAddress && !hashes.address) return withoutAddress
  const { burst, per } = rate
  return { burst, per: lifetime && by.includes('transaction') ? burst * lifetime : per }
}

/** Whether the key of a rate is one of this limit. */
export function belongsTo(name: LimitName, { key }: Pick<RateLimit, 'key'>): boolean {
  return key.startsWith(`limit:${name}:`)
}

/** Whether a rate counts by nothing but the client address. */
export function isByAddress(rate: RateLimit): boolean {
  return (['address', 'address.known', 'mail.address'] as const).some((name) =>
    belongsTo(name, rate),
  )
}

export function isLimitedByAddress(kind: LimitKind): boolean {
  return CHARGED[kind].some((name) => RULES[name].by.includes('address'))
}

/** The keys of a limit: one for each combination of what it counts by; none if one is unknown. */
function keysFor(name: LimitName, hashes: KeyHashes): readonly string[] {
  return RULES[name].by.reduce<readonly string[]>(
    (keys, each) => keys.flatMap((key) => (hashes[each] ?? []).map((hash) => `${key}:${hash}`)),
    [`limit:${name}`],
  )
}

export function findRates(kind: LimitKind, hashes: KeyHashes, options: RateOptions): RateLimit[] {
  return CHARGED[kind].flatMap((name) => {
    const rate = findRate(name, hashes, options)
    if (!rate) return []
    // With the key of another rate, an attempt without a client address would shorten the time of those with one.
    const suffix = rate === RULES[name].withoutAddress ? ':no-address' : ''
    const { burst, per } = rate
    return keysFor(name, hashes).map((key) => ({ key: `${key}${suffix}`, burst, per }))
  })
}

/** How many mails are sent to one address, for the pages; `null` without a limit. */
export function mailLimit(protection: Protection | undefined): LimitOptions | null {
  return protection ? findRate('mail', {}, { limits: protection.limits ?? {} }) : null
}
