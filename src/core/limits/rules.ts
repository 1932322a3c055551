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
export type Subject =
  | 'account'
  | 'address'
  | 'device'
  | 'everywhere'
  | 'owner'
  | 'provider'
  | 'recipient'
  | 'transaction'
  | 'user'

/** HMACs by subject; several accounts if a form names several. */
export type Subjects = Readonly<Partial<Record<Subject, readonly string[]>>>

interface Rule extends LimitOptions {
  readonly by: readonly Subject[]
  /** Switches this limit off, too. */
  readonly partOf?: LimitName
  /** The configured rate of this limit, so many times, applies if this one has none. */
  readonly like?: LimitName
  /** @default 1 */
  readonly times?: number
  /** Whether the time grows as well, so that only the attempts at once are more. */
  readonly isSteady?: boolean
  /** Replaces the rate if the client address is unknown. */
  readonly withoutAddress?: LimitOptions
}

const RULES: Readonly<Record<LimitName, Rule>> = {
  password: { by: ['account', 'address'], burst: 5, per: 15 * MINUTE },
  'password.account': {
    partOf: 'password',
    by: ['account'],
    burst: 30,
    per: HOUR,
    withoutAddress: { burst: 10, per: 15 * MINUTE },
  },
  'password.day': { partOf: 'password', by: ['account'], burst: 100, per: DAY },
  'password.hosts': {
    partOf: 'password',
    like: 'password.day',
    times: 10,
    by: ['everywhere'],
    burst: 1000,
    per: DAY,
  },
  'password.known': { partOf: 'password', by: ['account', 'device'], burst: 10, per: 15 * MINUTE },
  // Whoever once had the password may have any number of known browsers.
  'password.known.account': {
    partOf: 'password',
    like: 'password.known',
    times: 3,
    by: ['account'],
    burst: 30,
    per: 15 * MINUTE,
  },
  'password.known.day': { partOf: 'password', by: ['account'], burst: 100, per: DAY },
  // Not those of unknown browsers, which an attacker could exhaust to lock the owner out.
  'password.known.hosts': {
    partOf: 'password',
    like: 'password.known.day',
    times: 10,
    by: ['everywhere'],
    burst: 1000,
    per: DAY,
  },
  address: { by: ['address'], burst: 20, per: 15 * MINUTE },
  'address.known': {
    partOf: 'address',
    like: 'address',
    times: 3,
    by: ['address'],
    burst: 60,
    per: 15 * MINUTE,
  },
  known: { by: ['owner'], burst: 10, per: DAY },
  mail: { by: ['recipient'], burst: 3, per: 15 * MINUTE },
  'mail.hosts': {
    partOf: 'mail',
    like: 'mail',
    times: 10,
    isSteady: true,
    by: ['everywhere'],
    burst: 30,
    per: 150 * MINUTE,
  },
  'mail.known': {
    partOf: 'mail',
    like: 'mail',
    by: ['recipient', 'device'],
    burst: 3,
    per: 15 * MINUTE,
  },
  'mail.known.recipient': {
    partOf: 'mail',
    like: 'mail.known',
    times: 2,
    by: ['recipient'],
    burst: 6,
    per: 15 * MINUTE,
  },
  'mail.known.hosts': {
    partOf: 'mail',
    like: 'mail.known.recipient',
    times: 10,
    isSteady: true,
    by: ['everywhere'],
    burst: 60,
    per: 150 * MINUTE,
  },
  'mail.address': { partOf: 'mail', by: ['address'], burst: 10, per: 15 * MINUTE },
  // Only for a transaction of 10 minutes: see `Charged.lifetime`.
  code: { by: ['transaction'], burst: 5, per: 5 * 10 * MINUTE },
  'code.user': { partOf: 'code', by: ['user'], burst: 10, per: 15 * MINUTE },
  'code.day': { partOf: 'code', by: ['user'], burst: 50, per: DAY },
  'code.hosts': {
    partOf: 'code',
    like: 'code.day',
    times: 10,
    by: ['everywhere'],
    burst: 500,
    per: DAY,
  },
  'code.known': {
    partOf: 'code',
    like: 'code.user',
    by: ['user', 'device'],
    burst: 10,
    per: 15 * MINUTE,
  },
  'code.known.user': {
    partOf: 'code',
    like: 'code.known',
    times: 2,
    by: ['user'],
    burst: 20,
    per: 15 * MINUTE,
  },
  'code.known.day': { partOf: 'code', by: ['user'], burst: 50, per: DAY },
  'code.known.hosts': {
    partOf: 'code',
    like: 'code.known.day',
    times: 10,
    by: ['everywhere'],
    burst: 500,
    per: DAY,
  },
  secondStep: { by: ['transaction'], burst: 5, per: 5 * 10 * MINUTE },
  'secondStep.user': { partOf: 'secondStep', by: ['user'], burst: 10, per: 15 * MINUTE },
  passkey: { by: ['address'], burst: 30, per: 5 * MINUTE },
  callback: { by: ['address'], burst: 60, per: 5 * MINUTE },
  backChannel: { by: ['provider'], burst: 100, per: 10 },
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
  | 'backChannel'

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
  secondStep: ['secondStep', 'secondStep.user'],
  passkey: ['passkey'],
  callback: ['callback'],
  backChannel: ['backChannel'],
}

export interface RateOptions {
  readonly limits: Readonly<Partial<Record<LimitName, LimitOptions | 'off'>>>
  /** Seconds for which the transaction is valid: five attempts are available in this time. */
  readonly lifetime?: number | undefined
}

type Configured = RateOptions['limits']

function configuredRate(name: LimitName, limits: Configured): LimitOptions | 'off' | undefined {
  const { partOf, like, times = 1, isSteady = false } = RULES[name]
  if (partOf && limits[partOf] === 'off') return 'off'
  const own = limits[name]
  if (own || !like) return own
  const found = configuredRate(like, limits)
  if (!found || found === 'off') return found
  return { burst: found.burst * times, per: isSteady ? found.per * times : found.per }
}

function rateOf(
  name: LimitName,
  subjects: Subjects,
  { limits, lifetime }: RateOptions,
): LimitOptions | null {
  const { burst, per, by, withoutAddress } = RULES[name]
  const given = configuredRate(name, limits)
  if (given) return given === 'off' ? null : given
  if (withoutAddress && !subjects.address) return withoutAddress
  return { burst, per: lifetime && by.includes('transaction') ? burst * lifetime : per }
}

/** Whether the key of a rate is one of this limit. */
export function isOf(name: LimitName, { key }: Pick<RateLimit, 'key'>): boolean {
  return key.startsWith(`limit:${name}:`)
}

/** Whether a rate counts by nothing but the client address. */
export function isByAddress(rate: RateLimit): boolean {
  return isOf('address', rate) || isOf('address.known', rate) || isOf('mail.address', rate)
}

export function isLimitedByAddress(kind: LimitKind): boolean {
  return CHARGED[kind].some((name) => RULES[name].by.includes('address'))
}

/** The keys of a limit: one for each combination of its subjects; none if one is unknown. */
function keysOf(name: LimitName, subjects: Subjects): readonly string[] {
  return RULES[name].by.reduce<readonly string[]>(
    (keys, subject) =>
      keys.flatMap((key) => (subjects[subject] ?? []).map((hash) => `${key}:${hash}`)),
    [`limit:${name}`],
  )
}

export function ratesOf(kind: LimitKind, subjects: Subjects, options: RateOptions): RateLimit[] {
  return CHARGED[kind].flatMap((name) => {
    const rate = rateOf(name, subjects, options)
    if (!rate) return []
    // With the key of another rate, an attempt without a client address would shorten the time of those with one.
    const suffix = rate === RULES[name].withoutAddress ? ':no-address' : ''
    const { burst, per } = rate
    return keysOf(name, subjects).map((key) => ({ key: `${key}${suffix}`, burst, per }))
  })
}

/** How many mails are sent to one address, for the pages; `null` without a limit. */
export function mailLimit(protection: Protection | undefined): LimitOptions | null {
  return protection ? rateOf('mail', {}, { limits: protection.limits ?? {} }) : null
}
