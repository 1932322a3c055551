/** What the adapter of a configuration can do, and what does not work without the rest. */
import type { Adapter } from '../../adapters/index.ts'
import { strategyOf } from '../../config/strategy.ts'
import { featuresOf, neededMethods } from '../../config/validate-adapter.ts'
import type { Feature } from '../../config/validate-adapter.ts'
import { LIMITS, within } from '../../deadline.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

const about = topic('adapter')

/** Every method of the contract. */
type Method = keyof Required<Adapter>

/** What does not work without a method that a feature needs. */
const NEEDED: Readonly<Record<Method, string | null>> = {
  createUser: 'nobody can sign up',
  getUser: 'nobody who signs in is found again',
  getUserByEmail: 'nobody can tell whether an address has a user already',
  getUserByAccount: 'nobody who comes back from a provider is recognized',
  updateUser: 'no address can be marked as verified',
  linkAccount: 'nobody can sign up with a provider',
  createSession: 'nobody can sign in',
  getSessionAndUser: 'nobody stays signed in',
  updateSession: 'sessions that are used end all the same',
  deleteSession: 'nobody can sign out',
  createVerificationToken: 'no link can be sent',
  useVerificationToken: 'no link can be used',
  deleteUser: null,
  unlinkAccount: null,
  updateAccount: null,
  getAccount: null,
  listAccounts: null,
  listSessions: null,
  deleteUserSessions: null,
  deleteVerificationTokens: null,
  createAuthenticator: null,
  getAuthenticator: null,
  listAuthenticatorsByUserId: null,
  updateAuthenticatorCounter: null,
  deleteExpired: null,
  transaction: null,
}

interface Option {
  /** Methods that only together are of use. */
  readonly methods: readonly Method[]
  /** What calls them. */
  readonly features: readonly Feature[]
  /** A method that does the same, and better. */
  readonly unless?: Method
  readonly without: string
}

const OPTIONS: readonly Option[] = [
  {
    methods: ['transaction'],
    features: ['accounts', 'links', 'sessions'],
    without:
      'a sign-up that fails half-way is taken back step by step, and not if the process ends before',
  },
  {
    methods: ['updateAccount'],
    features: ['accounts'],
    without: 'the tokens of an account stay as they were when it was linked',
  },
  {
    methods: ['updateUser'],
    features: ['accounts'],
    without: 'an address that a trusted provider has verified is not marked as verified',
  },
  {
    methods: ['listAccounts', 'unlinkAccount', 'deleteUserSessions'],
    features: ['links'],
    without:
      'whoever signed up with an address that is not theirs keeps access when its owner proves it',
  },
  {
    methods: ['deleteVerificationTokens'],
    features: ['links'],
    without: 'using one link leaves the others of that address good until they expire',
  },
  {
    methods: ['deleteExpired'],
    features: ['links', 'sessions'],
    without:
      'sessions and links that nobody comes back for pile up, unless something else deletes them',
  },
  {
    methods: ['deleteUser'],
    features: ['accounts', 'links'],
    unless: 'transaction',
    without: 'a user whose sign-up fails half-way stays',
  },
]

function has(adapter: Adapter, method: Method): boolean {
  return typeof adapter[method] === 'function'
}

function missingNeeded(adapter: Adapter, needed: ReadonlySet<Method>): Finding[] {
  return [...needed]
    .filter((method) => !has(adapter, method))
    .map((method) =>
      about.error(
        `lacks ${method}: without it, ${NEEDED[method] ?? 'nothing works'}.`,
        `Write ${method} as the interface Adapter of lib-auth/adapters says, or use an adapter that has it.`,
      ),
    )
}

function missingOptional(
  adapter: Adapter,
  features: readonly Feature[],
  needed: ReadonlySet<Method>,
) {
  return OPTIONS.flatMap(({ methods, features: callers, unless, without }) => {
    const missing = methods.filter((method) => !has(adapter, method) && !needed.has(method))
    if (unless !== undefined && has(adapter, unless)) return []
    if (missing.length === 0 || !callers.some((each) => features.includes(each))) return []
    return [
      about.warning(
        `lacks ${missing.join(', ')}: ${without}.`,
        `Optional. To have it, write ${missing.join(', ')} as the interface Adapter of lib-auth/adapters says.`,
      ),
    ]
  })
}

function examineMethods(adapter: Adapter, subject: Subject): Finding[] {
  const features = featuresOf(subject.config, subject.providers)
  const needed = neededMethods(features)
  const errors = missingNeeded(adapter, needed)
  const warnings = missingOptional(adapter, features, needed)
  if (errors.length > 0) return [...errors, ...warnings]
  const kept = strategyOf(subject.config) === 'database' ? 'the database' : 'the cookie'
  const count =
    needed.size === 0
      ? 'nothing is needed of it'
      : `it has the ${needed.size} methods that are needed`
  return [about.ok(`${count}; sessions are in ${kept}.`), ...warnings]
}

/** Looks at the adapter, if there is one; it is loaded for that, and nothing is asked of it. */
export async function examineAdapter(subject: Subject): Promise<readonly Finding[]> {
  const { adapter } = subject.config
  if (adapter === undefined) return []
  if (typeof adapter !== 'function') return examineMethods(adapter, subject)
  try {
    const what = 'The function that loads it'
    const tooLate = (message: string) => new Error(message)
    const loaded: unknown = await within(adapter(), { what, limit: LIMITS.adapter, tooLate })
    if (typeof loaded === 'object' && loaded !== null) return examineMethods(loaded, subject)
    return [
      about.error(
        'the function that loads it returns none.',
        'Write it as in adapter: () => import("./database").then(({ adapter }) => adapter).',
      ),
    ]
  } catch (error) {
    return [
      about.error(
        `cannot be loaded: ${subject.quote(error)}`,
        'Nothing that needs the database works until that does.',
      ),
    ]
  }
}
