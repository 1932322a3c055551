/** The core runs on web standards alone: without Node and without `eval`. */
import { createContext, runInContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { decode, encode } from '../../src/jwt.ts'
import { SECRET } from '../config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const ENTRY = `
  export { Auth, getSession, setEnvDefaults } from './src/index.ts'
  export { decode, encode, getToken } from './src/jwt.ts'
  export { AuthError, CredentialsSignin } from './src/errors.ts'
  export { default as MemoryAdapter } from './src/adapters/memory.ts'
  export { default as GitHub } from './src/providers/github.ts'
  export { browser } from './src/testing/browser.ts'
`

const { outputFiles, metafile } = await build({
  stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
  bundle: true,
  write: false,
  metafile: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'iife',
  globalName: 'lib',
  target: 'es2022',
})

/** The only globals of the runtime: those of every runtime with web standards. */
const GLOBALS = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'URL',
  'URLSearchParams',
  'TextEncoder',
  'TextDecoder',
  'crypto',
  'atob',
  'btoa',
  'AbortController',
  'ReadableStream',
  'setTimeout',
  'clearTimeout',
  'performance',
  'console',
]

function createRuntime(): <T>(code: string) => Promise<T> {
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, Reflect.get(globalThis, name)]))
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } })
  runInContext(outputFiles[0]?.text ?? '', context)
  const secret = JSON.stringify(SECRET)
  return async (code) => {
    // As JSON, because the runtime has other prototypes.
    const result: string = await runInContext(
      `(async () => JSON.stringify(await (async () => { const secret = ${secret}; ${code} })() ?? null))()`,
      context,
    )
    return JSON.parse(result)
  }
}

const run = createRuntime()

const CONFIG = `
  const logged = []
  const config = {
    secret,
    trustHost: true,
    logger: { error: (error) => logged.push(error.type ?? String(error)), warn: (code) => logged.push(code) },
    providers: [
      lib.GitHub({ clientId: 'id', clientSecret: 'secret' }),
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        authorize: ({ username, password }) => {
          if (password === 'later') throw new lib.CredentialsSignin()
          return password === 'open sesame' ? { id: '1', name: username } : null
        },
      },
    ],
  }
  const tab = lib.browser(config)
`

describe('on a runtime with web standards only', () => {
  test('the bundle imports nothing', async () => {
    expect(await run('return [typeof process, typeof Buffer, typeof require]')).toEqual([
      'undefined',
      'undefined',
      'undefined',
    ])
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
    expect(outside).toEqual([])
  })

  test('signs in with credentials, reads the session, and signs out', async () => {
    const result = await run(`${CONFIG}
      const before = await tab.session()
      const answer = await tab.post('callback/password', { username: 'Ada', password: 'open sesame' })
      const headers = new Headers({ host: 'app.test', 'x-forwarded-proto': 'https' })
      const cookie = tab.cookies.header({ url: new URL(tab.origin), method: 'GET', initiator: 'same-site' })
      headers.set('cookie', cookie)
      const during = await tab.session()
      const direct = await lib.getSession(headers, config)
      const token = await lib.getToken({ req: { headers }, secret })
      await tab.post('signout')
      const after = await tab.session()
      const { user } = during
      return { before, status: answer.status, user, direct: direct.session.user, sub: token.sub, after, logged }
    `)
    expect(result).toEqual({
      before: null,
      status: 302,
      user: { name: 'Ada' },
      direct: { name: 'Ada' },
      sub: '1',
      after: null,
      logged: [],
    })
  })

  test('limits guesses, and remembers the browser after a sign-in', async () => {
    const result = await run(`${CONFIG}
      const enter = (username, password) => tab.post('callback/password', { username, password })
      for (let guess = 0; guess < 10; guess++) await enter('Eve', 'wrong')
      const limited = await enter('Eve', 'open sesame')
      await enter('Grace', 'open sesame')
      const known = tab.cookies.all().some(({ name }) => name === '__Host-lib.known')
      return [limited.headers.get('location'), (await tab.session()).user.name, known]
    `)
    const page = 'https://app.test/auth/signin?error=TooManyAttempts&retryAfter=90'
    expect(result).toEqual([page, 'Grace', true])
  })

  test('signs in with a code from an e-mail, after a wrong one', async () => {
    const result = await run(`${CONFIG}
      config.adapter = lib.MemoryAdapter()
      config.session = { strategy: 'jwt' }
      let sent
      config.providers.push({
        id: 'mail', name: 'Mail', type: 'email', method: 'code',
        sendVerificationRequest: ({ code }) => { sent = code },
      })
      await tab.post('signin/mail', { email: 'ada@example.com' })
      const wrong = String((Number(sent) + 1) % 1_000_000).padStart(6, '0')
      await tab.post('callback/mail', { code: wrong })
      const before = await tab.session()
      await tab.post('callback/mail', { code: sent })
      return [before, (await tab.session()).user.email]
    `)
    expect(result).toEqual([null, 'ada@example.com'])
  })

  test.each([
    ['wrong', 'CredentialsSignin'],
    ['later', 'CredentialsSignin'],
  ])(
    'redirects to the sign-in page with the error for the password "%s"',
    async (password, error) => {
      const result = await run(`${CONFIG}
      const answer = await tab.post('callback/password', { username: 'Ada', password: '${password}' })
      return [answer.headers.get('location'), logged]
    `)
      expect(result).toEqual([
        `https://app.test/auth/signin?error=${error}&code=credentials`,
        [error],
      ])
    },
  )

  test('redirects to a provider with PKCE and state', async () => {
    const result = await run<Record<string, string>>(`${CONFIG}
      const { url } = await tab.begin('github')
      return { origin: url.origin, ...Object.fromEntries(url.searchParams) }
    `)
    expect(result).toMatchObject({
      origin: 'https://github.com',
      client_id: 'id',
      redirect_uri: 'https://app.test/auth/callback/github',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('renders the built-in pages', async () => {
    const result = await run<string[]>(`${CONFIG}
      const pages = await Promise.all(['signin', 'signout', 'error'].map((page) => tab.request(page)))
      return Promise.all(pages.map((page) => page.text()))
    `)
    expect(result).toEqual([
      expect.stringContaining('Continue with GitHub'),
      expect.stringContaining('You are not signed in'),
      expect.stringContaining('Error'),
    ])
  })

  test('exchanges tokens with Node', async () => {
    const salt = 'lib.session-token'
    const made = await run<string>(
      `return lib.encode({ token: { sub: '1' }, secret, salt: '${salt}' })`,
    )
    expect(await decode({ token: made, secret: SECRET, salt })).toMatchObject({ sub: '1' })
    const token = await encode({ token: { sub: '2' }, secret: SECRET, salt })
    expect(
      await run(`return lib.decode({ token: '${token}', secret, salt: '${salt}' })`),
    ).toMatchObject({ sub: '2' })
  })

  test('reads environment variables only from the given object', async () => {
    const result = await run(`
      const config = { providers: [lib.GitHub] }
      lib.setEnvDefaults({ AUTH_SECRET: secret, AUTH_GITHUB_ID: 'id', AUTH_URL: 'https://app.test' }, config)
      return [config.secret, config.origin, config.providers[0].clientId]
    `)
    expect(result).toEqual([[SECRET], 'https://app.test', 'id'])
  })
})
