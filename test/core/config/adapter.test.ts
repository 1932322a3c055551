/** The adapter methods that a configuration requires. */
import { describe, expect, test } from 'vitest'
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { configFor, oidc, passwordConfig } from '../../config.ts'
import { instanceOf, without } from '../../database.ts'
import { oauth } from '../../oauth.ts'

const op = await issuer({ algorithm: 'ES256' })
const { config: withPassword } = passwordConfig()
const { adapter: _none, ...base } = configFor(op).config
const MAIL = {
  id: 'mail',
  name: 'Mail',
  type: 'email',
  sendVerificationRequest: () => undefined,
} as const

const USERS = ['createUser', 'getUser', 'getUserByEmail'] as const
const ACCOUNTS = ['getUserByAccount', 'linkAccount'] as const
const LINKS = ['updateUser', 'createVerificationToken', 'useVerificationToken'] as const
const SESSIONS = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'] as const

/** The error of the configuration. */
function problem(config: AuthConfig): unknown {
  try {
    resolve(config)
    return null
  } catch (error) {
    return error
  }
}

const features: [string, Partial<AuthConfig>, readonly (keyof Adapter)[]][] = [
  [
    'OpenID, tokens',
    { providers: [oidc(op)], session: { strategy: 'jwt' } },
    [...USERS, ...ACCOUNTS],
  ],
  [
    'OAuth, tokens',
    { providers: [oauth(op)], session: { strategy: 'jwt' } },
    [...USERS, ...ACCOUNTS],
  ],
  ['OpenID', { providers: [oidc(op)] }, [...USERS, ...ACCOUNTS, ...SESSIONS]],
  ['e-mail, tokens', { providers: [MAIL], session: { strategy: 'jwt' } }, [...USERS, ...LINKS]],
  ['e-mail', { providers: [MAIL] }, [...USERS, ...LINKS, ...SESSIONS]],
  ['credentials', { providers: withPassword.providers ?? [] }, [...USERS, ...SESSIONS]],
  [
    'credentials, tokens',
    { providers: withPassword.providers ?? [], session: { strategy: 'jwt' } },
    [],
  ],
  ['all of these', { providers: [oidc(op), MAIL] }, [...USERS, ...ACCOUNTS, ...LINKS, ...SESSIONS]],
]

describe.each(features)('%s', (_name, config, needed) => {
  const all = MemoryAdapter()
  const others = Object.keys(all).filter((name) => !needed.some((each) => each === name))
  const enough = without(all, ...(others as (keyof Adapter)[]))

  test('needs these methods of the adapter, and no others', () => {
    expect(Object.keys(enough).sort()).toEqual([...needed].sort())
    expect(problem({ ...base, ...config, adapter: enough })).toBeNull()
  })

  test('reports each missing method', () => {
    for (const method of needed)
      expect(problem({ ...base, ...config, adapter: without(enough, method) })).toMatchObject({
        type: 'MissingAdapterMethods',
        message: expect.stringContaining(`The adapter lacks ${method}.`),
      })
    const error = problem({ ...base, ...config, adapter: {} })
    if (needed.length === 0) expect(error).toBeNull()
    else for (const method of needed) expect(String(error)).toContain(method)
  })

  test('accepts an instance of a class, whose methods are inherited', () => {
    const adapter = instanceOf(enough)
    expect(Object.keys(adapter)).toEqual([])
    expect(problem({ ...base, ...config, adapter })).toBeNull()
  })
})

async function loading({ database }: Pick<ReturnType<typeof resolve>, 'database'>) {
  return (await database?.())?.has('getUser')
}

test('secondStep needs the table of factors, from an object and from a function', async () => {
  const config = { ...base, providers: [oidc(op)], secondStep: {} }
  expect(problem({ ...config, adapter: MemoryAdapter() })).toBeNull()
  const message =
    /^The adapter lacks listFactors, which secondStep needs\. Pass with: \["factors"\] to an adapter of lib-auth for SQL, or add the model to the schema of Prisma\. Another adapter needs the methods\./
  const adapter = without(MemoryAdapter(), 'listFactors')
  expect(problem({ ...config, adapter })).toMatchObject({
    type: 'MissingAdapterMethods',
    message: expect.stringMatching(message),
  })
  const lazy = resolve({ ...config, adapter: () => adapter })
  await expect(loading(lazy)).rejects.toThrow(message)
})

test('a second step names the methods for factors and those that end sessions in one message', () => {
  const config = { ...base, providers: [oidc(op)], secondStep: {} }
  const adapter = without(MemoryAdapter(), 'deleteUserSessions', 'listSessions', 'listFactors')
  const message =
    /^The adapter lacks deleteUserSessions\. .* for ending sessions\. The adapter lacks listFactors, which secondStep needs\. [^/]* Read more: \S+$/
  expect(problem({ ...config, adapter })).toMatchObject({
    message: expect.stringMatching(message),
  })
})

describe.each<[string, Partial<AuthConfig>]>([
  ['secondStep', { providers: [oidc(op)], secondStep: {} }],
  ['Password', { providers: [Password()] }],
])('with database sessions, %s', (_name, options) => {
  const config = { ...base, ...options }
  const both = ['deleteUserSessions', 'listSessions'] as const

  test('needs a method that ends the sessions of a user, from an object and from a function', async () => {
    const adapter = without(MemoryAdapter(), ...both)
    const message =
      /^The adapter lacks deleteUserSessions\. Implement what is missing for ending sessions\./
    expect(problem({ ...config, adapter })).toMatchObject({
      type: 'MissingAdapterMethods',
      message: expect.stringMatching(message),
    })
    const lazy = resolve({ ...config, adapter: () => adapter })
    await expect(loading(lazy)).rejects.toThrow(message)
  })

  test.each(both)('does without %s', (method) => {
    expect(problem({ ...config, adapter: without(MemoryAdapter(), method) })).toBeNull()
  })

  test('does without both if sessions are in cookies', () => {
    const adapter = without(MemoryAdapter(), ...both)
    expect(problem({ ...config, adapter, session: { strategy: 'jwt' } })).toBeNull()
  })
})

describe('without an adapter', () => {
  test.each<[string, Partial<AuthConfig>, string]>([
    ['magic links', { providers: [MAIL] }, 'adapter is missing: a provider of type email'],
    [
      'sessions in a database',
      { session: { strategy: 'database' } },
      'adapter is missing: session.strategy is "database". Set adapter, or session.strategy to "jwt".',
    ],
  ])('%s are rejected', (_name, config, message) => {
    expect(problem({ ...base, ...config })).toMatchObject({
      type: 'MissingAdapter',
      message: expect.stringContaining(message),
    })
  })

  test('accepts every other configuration', () => {
    expect(problem(base)).toBeNull()
    expect(problem({ ...base, session: { strategy: 'jwt' } })).toBeNull()
    expect(problem({ ...base, adapter: undefined, session: undefined })).toBeNull()
  })
})

test('reports missing methods together with every other problem', async () => {
  const { config, log } = configFor(op, { adapter: {}, secret: '' })
  const response = await browser(config).request('session')
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: 'Configuration' })
  expect(log.errors).toHaveLength(1)
  expect(log.errors[0]?.message).toContain('secret is empty.')
  expect(log.errors[0]?.message).toContain('The adapter lacks createUser, getUser')
})

describe('absoluteMaxAge', () => {
  const adapter = MemoryAdapter()
  test('is accepted with both strategies, with or without an adapter', () => {
    const session = { strategy: 'jwt', absoluteMaxAge: 60 } as const
    expect(problem({ ...base, adapter, session: { absoluteMaxAge: 60 } })).toBeNull()
    expect(problem({ ...base, adapter, session })).toBeNull()
    expect(problem({ ...base, session })).toBeNull()
  })
})

describe('sessions', () => {
  test.each<[string, Pick<AuthConfig, 'adapter' | 'session'>, number]>([
    ['in the cookie without an adapter', {}, 0],
    ['in the database with one', { adapter: MemoryAdapter() }, 1],
    [
      'in the database with strategy database',
      { adapter: MemoryAdapter(), session: { strategy: 'database' } },
      1,
    ],
    [
      'in the cookie with strategy jwt',
      { adapter: MemoryAdapter(), session: { strategy: 'jwt' } },
      0,
    ],
    [
      'in the database with other session options',
      { adapter: MemoryAdapter(), session: { maxAge: 60 } },
      1,
    ],
    [
      'in the database with strategy undefined',
      { adapter: MemoryAdapter(), session: { strategy: undefined } },
      1,
    ],
  ])('are %s', async (_name, overrides, count) => {
    const { config } = configFor(op, overrides)
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    expect(await tab.session()).not.toBeNull()
    const adapter = typeof config.adapter === 'object' ? config.adapter : undefined
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    const sessions = user && (await adapter?.listSessions?.(user.id))
    expect(sessions ?? []).toHaveLength(count)
  })
})
