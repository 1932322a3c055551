/** `doctor` reports which required methods the adapter lacks. */
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, callDoctor, cleanUp, examineFolder, GOOD_SECRET } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test', DB_PASSWORD: 'hunter2' }

const moduleOf = (code: string) =>
  `data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`

/** The findings about the adapter of a configuration with OAuth and magic links. */
async function examine(adapter: string, options = '', env: Record<string, string> = {}) {
  const code = `
    import memoryAdapter from 'lib-auth/adapters/memory'
    const github = { id: 'github', name: 'GitHub', type: 'oauth', clientId: 'id', clientSecret: 'secret of it',
      authorization: 'https://github.test/a', token: 'https://github.test/t', userinfo: 'https://github.test/u' }
    const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    const without = (...names) => {
      const adapter = { ...memoryAdapter() }
      for (const name of names) delete adapter[name]
      return adapter
    }
    export const config = { providers: [github, mail], adapter: ${adapter}, ${options} }
  `
  // Options of Node.js apply to processes.
  const run = 'NODE_OPTIONS' in env ? callDoctor : examineFolder
  const folder = applicationWith({ 'auth.mjs': code })
  const { about, code: exit, text } = await run(folder, [], { ...ENV, ...env })
  return { lines: about('adapter'), exit, text }
}

test('accepts an adapter with all methods', async () => {
  const { lines, exit } = await examine('memoryAdapter()')
  expect(lines).toEqual([
    '✓ adapter: all required methods are there; sessions are in the database.',
  ])
  expect(exit).toBe(0)
})

test('accepts the Redis adapter, which needs no deleteExpired', async () => {
  const { lines } = await examine(
    `() => import('lib-auth/adapters/redis').then((redis) => redis.default({ call: async () => null }))`,
  )
  expect(lines).toEqual([
    '✓ adapter: all required methods are there; sessions are in the database.',
  ])
})

test('requires fewer methods with JWT sessions', async () => {
  const { lines } = await examine(
    `() => Promise.resolve(without('createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'))`,
    `session: { strategy: 'jwt' }`,
  )
  expect(lines).toEqual(['✓ adapter: all required methods are there; sessions are in cookies.'])
})

test('requires no methods without OAuth, magic links and database sessions', async () => {
  const { lines } = await examine('{}', `providers: [password], session: { strategy: 'jwt' }`)
  expect(lines).toEqual(['✓ adapter: all required methods are there; sessions are in cookies.'])
})

test.each([
  ['without', 'configuration'],
  ['() => without', 'adapter'],
])('reports missing required methods (%s)', async (make, topic) => {
  const { text, exit } = await examine(`${make}('deleteSession', 'useVerificationToken')`)
  expect(text).toContain(
    `✗ ${topic}: The adapter lacks useVerificationToken, deleteSession. Implement what is missing for magic links, database sessions.`,
  )
  expect(exit).toBe(1)
})

test.each([
  [
    '() => { throw new Error(`login with ${process.env.DB_PASSWORD} refused`) }',
    'The function that loads the adapter failed. (login with [redacted] refused)',
  ],
  [
    '() => undefined',
    'The function that loads the adapter returned undefined, not an adapter. → Write it like adapter: () => import("./database")',
  ],
])('reports an adapter that cannot be loaded: %s', async (adapter, expected) => {
  const { lines, exit, text } = await examine(adapter)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`✗ adapter: ${expected}`)
  expect(exit).toBe(1)
  expect(text).not.toContain('hunter2')
})

describe('with passkeys', () => {
  const passkey = (options = '') =>
    `providers: [(await import('lib-auth/providers/passkey')).default({ ${options} })], experimental: { enableWebAuthn: true }`

  /** Options of Node.js that hide an installed package. */
  const hiding = (name: string) =>
    `--import ${moduleOf(
      `import { register } from 'node:module'; register('${moduleOf(`
        export async function resolve(name, context, next) {
          if (name === '${name}') throw new Error('Cannot find package')
          return next(name, context)
        }
      `)}')`,
    )}`

  const COMPLETE =
    '✓ passkeys: @simplewebauthn/server is installed, and the adapter can rename and remove passkeys.'

  async function examinePasskeys(adapter: string, options?: string, env = {}) {
    const { text, exit } = await examine(adapter, passkey(options), env)
    const found = text.split('\n').filter((line) => line.includes('passkeys:'))
    return { found, exit, text }
  }

  test('reports an adapter that cannot rename and remove them as warnings', async () => {
    const adapter = `() => without('updateAuthenticator', 'deleteAuthenticator')`
    const { found, exit, text } = await examinePasskeys(adapter)
    expect(found).toEqual([
      '! passkeys: the adapter has no updateAuthenticator: passkeys cannot be renamed.',
      '! passkeys: the adapter has no deleteAuthenticator: passkeys cannot be removed.',
    ])
    expect(text).toContain('Implement deleteAuthenticator')
    expect(exit).toBe(0)
  })

  test('accepts a complete adapter', async () => {
    const { found, exit } = await examinePasskeys('memoryAdapter()')
    expect(found).toEqual([COMPLETE])
    expect(exit).toBe(0)
  })

  test('reports that a response can be used once in each process without records', async () => {
    const { found, exit, text } = await examinePasskeys(`() => without('writeRecord')`)
    expect(found).toEqual([
      COMPLETE,
      '✓ passkeys: a response can be used once in each process, because there is no store of records.',
    ])
    expect(text).toContain('For several processes, set store, for example to RedisAdapter(client).')
    expect(exit).toBe(0)
    const withStore = await examinePasskeys(`() => without('writeRecord'), store: memoryAdapter()`)
    expect(withStore.found).toEqual([COMPLETE])
  })

  test('reports that the package is not installed', async () => {
    const { found, exit, text } = await examinePasskeys(
      'memoryAdapter()',
      `simpleWebAuthn: () => import('./missing.mjs')`,
    )
    expect(found).toEqual([expect.stringMatching(/^✗ passkeys: .*missing\.mjs/)])
    expect(text).toContain('npm install @simplewebauthn/server')
    expect(exit).toBe(1)
  })

  test('advises once to install the package', async () => {
    const { found, text, exit } = await examinePasskeys('memoryAdapter()', '', {
      NODE_OPTIONS: hiding('@simplewebauthn/server'),
    })
    expect(found).toEqual([
      expect.stringMatching(
        /^✗ passkeys: The package @simplewebauthn\/server cannot be loaded\. .*\(Cannot find package\)$/,
      ),
    ])
    expect(text.match(/npm install @simplewebauthn\/server/g)).toHaveLength(1)
    expect(exit).toBe(1)
  })

  test('names the package for pages of the application if it is not installed', async () => {
    const { found, exit, text } = await examinePasskeys('memoryAdapter()', '', {
      NODE_OPTIONS: hiding('@simplewebauthn/browser'),
    })
    expect(found).toEqual([
      COMPLETE,
      '✓ passkeys: @simplewebauthn/browser is not installed. Only pages that import lib-auth/webauthn need it.',
    ])
    expect(text).toContain('For those, run: npm install @simplewebauthn/browser')
    expect(exit).toBe(0)
  })
})
