/** The methods of the adapter. No method is called. */
import type { Adapter } from '../../adapters/index.ts'
import { strategyOf } from '../../config/strategy.ts'
import { featuresOf, neededMethods } from '../../config/validate-adapter.ts'
import type { Feature } from '../../config/validate-adapter.ts'
import { LIMITS, within } from '../../deadline.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

type Method = keyof Adapter

const { ok, warning, error } = topic('adapter')

/** What fails without a required method. */
const REQUIRED: Readonly<Partial<Record<Method, string>>> = {
  createUser: 'sign-up fails',
  getUser: 'users cannot be read',
  getUserByEmail: 'users cannot be found by e-mail address',
  getUserByAccount: 'users cannot be found by provider account',
  updateUser: 'e-mail addresses cannot be marked as verified',
  linkAccount: 'sign-up with a provider fails',
  createSession: 'sign-in fails',
  getSessionAndUser: 'sessions cannot be read',
  updateSession: 'sessions in use expire',
  deleteSession: 'sign-out fails',
  createVerificationToken: 'magic links cannot be sent',
  useVerificationToken: 'magic links cannot be redeemed',
}

/** What is missing without optional methods, for the features that call them. */
const OPTIONAL: readonly (readonly [
  methods: readonly Method[],
  features: readonly Feature[],
  without: string,
])[] = [
  [
    ['transaction'],
    ['accounts', 'links', 'sessions'],
    'a failed sign-up is compensated step by step, and not if the process ends',
  ],
  [['updateAccount'], ['accounts'], 'the tokens of an account are not updated at sign-in'],
  [['updateUser'], ['accounts'], 'addresses that a trusted provider verified stay unverified'],
  [
    ['listAccounts', 'unlinkAccount', 'deleteUserSessions'],
    ['links'],
    'a user who signed up with a foreign address keeps access after its owner verifies it (account pre-hijacking)',
  ],
  [
    ['deleteVerificationTokens'],
    ['links'],
    'other magic links of an address stay valid after one is used',
  ],
  [['deleteExpired'], ['links', 'sessions'], 'expired sessions and magic links are not deleted'],
  [['deleteUser'], ['accounts', 'links'], 'users of failed sign-ups are not deleted'],
]

function* checkMethods(adapter: Adapter, { config, providers }: Subject): Generator<Finding> {
  const features = featuresOf(config, providers)
  const required = neededMethods(features)
  const has = (method: Method) => typeof adapter[method] === 'function'
  const missing = [...required].filter((method) => !has(method))
  for (const method of missing)
    yield error`${method} is missing: ${REQUIRED[method]}. → Implement it (interface Adapter of lib-auth/adapters), or use an adapter that has it.`
  if (missing.length === 0)
    yield ok`${required.size === 0 ? 'no methods are required' : `all ${required.size} required methods are there`}; sessions are in ${strategyOf(config) === 'database' ? 'the database' : 'cookies'}.`
  for (const [methods, callers, without] of OPTIONAL) {
    const absent = methods.filter((method) => !has(method) && !required.has(method))
    const isCalled = callers.some((each) => features.includes(each))
    // A transaction rolls back the new user.
    const isCovered = absent.includes('deleteUser') && has('transaction')
    if (absent.length > 0 && isCalled && !isCovered)
      yield warning`${absent.join(', ')} is missing (optional): ${without}. → Implement it (interface Adapter of lib-auth/adapters).`
  }
}

export async function checkAdapter(subject: Subject): Promise<readonly Finding[]> {
  const { adapter } = subject.config
  if (adapter === undefined) return []
  try {
    const loaded: unknown =
      typeof adapter === 'function'
        ? await within(adapter(), {
            what: 'The function that loads it',
            limit: LIMITS.adapter,
            tooLate: (message) => new Error(message),
          })
        : adapter
    if (typeof loaded === 'object' && loaded !== null) return [...checkMethods(loaded, subject)]
    return [
      error`the function that loads it does not return an adapter. → Write adapter: () => import("./database").then(({ adapter }) => adapter).`,
    ]
  } catch (cause) {
    return [
      error`cannot be loaded: ${subject.quote(cause)} → Every request that needs the database fails until it can be.`,
    ]
  }
}
