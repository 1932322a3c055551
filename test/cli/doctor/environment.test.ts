/** `doctor` loads `.env` files as Next.js does, and checks secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import {
  applicationWith,
  cleanUp,
  examineFolder,
  ENV,
  examine,
  GOOD_SECRET,
  moduleWith,
} from './run-doctor.ts'

afterAll(cleanUp)

describe('.env files', () => {
  test('are loaded in the order of Next.js, below the environment of the process', async () => {
    const folder = applicationWith({
      'auth.mjs': moduleWith('{ providers: [password] }'),
      '.env': 'AUTH_URL=https://last.test\nAUTH_SECRET=short',
      '.env.development': 'AUTH_URL=https://development.test\nAUTH_SECRET=short',
      '.env.local': `HOST=local.test\nAUTH_URL="https://\${HOST}"\nAUTH_SECRET=${GOOD_SECRET}`,
      '.env.production': 'AUTH_URL=https://production.test',
    })
    const here = await examineFolder(folder)
    expect(here.about('environment')).toEqual([
      '✓ environment: variables from .env.local, .env.development, .env, the environment of the process, for NODE_ENV=development.',
    ])
    expect(here.about('secret')).toEqual(['✓ secret: AUTH_SECRET in .env.local.'])
    expect(here.about('origin')).toEqual(['✓ origin: https://local.test (AUTH_URL in .env.local).'])
    const withTestEnvironment = await examineFolder(folder, [], {
      NODE_ENV: 'test',
      AUTH_URL: 'https://process.test',
    })
    expect(withTestEnvironment.about('environment')[0]).toContain(
      'variables from .env, the environment of the process, for NODE_ENV=test.',
    )
    expect(withTestEnvironment.about('origin')).toEqual([
      '✓ origin: https://process.test (AUTH_URL).',
    ])
  })
})

test('reads the first variable after a byte order mark', async () => {
  const folder = applicationWith({
    'auth.mjs': moduleWith('{ providers: [password] }'),
    '.env.local': `\uFEFFAUTH_SECRET=${GOOD_SECRET}\nAUTH_URL=https://local.test`,
  })
  const { about } = await examineFolder(folder)
  expect(about('secret')).toEqual(['✓ secret: AUTH_SECRET in .env.local.'])
})

describe('secrets', () => {
  test('accepts a random secret', async () => {
    const { about, code } = await examine('{ providers: [password] }', ENV)
    expect([about('secret'), code]).toEqual([['✓ secret: AUTH_SECRET.'], 0])
  })

  test('reports which of several secrets is used for encryption', async () => {
    const env = { ...ENV, AUTH_SECRET_2: `2${GOOD_SECRET}`, AUTH_SECRET_1: `1${GOOD_SECRET}` }
    const { about } = await examine('{ providers: [password] }', env)
    expect(about('secret')).toEqual([
      '✓ secret: AUTH_SECRET_2 encrypts; decryption only: AUTH_SECRET_1, AUTH_SECRET.',
    ])
  })

  test.each(['development', 'production'])('reports a missing secret in %s', async (NODE_ENV) => {
    const { about, code } = await examine('{ providers: [password] }', {
      NODE_ENV,
      AUTH_URL: ENV.AUTH_URL,
    })
    expect(about('configuration').slice(1)).toEqual([
      '✗ configuration: secret is missing. → Set AUTH_SECRET or secret to 32 random bytes or more: npx lib-auth secret.',
    ])
    expect(code).toBe(1)
  })

  test('reports a very short secret in production once', async () => {
    const env = { ...ENV, NODE_ENV: 'production', AUTH_SECRET: 'a1b2c3d4' }
    const { text } = await examine(
      `{ providers: [password], protection: { clientAddress: 'none' } }`,
      env,
    )
    expect(text.match(/8 of 32 bytes/g)).toHaveLength(1)
    expect(text).toMatch(/\nErrors \(✗\): 1\. Warnings \(!\): 0\.\n$/)
  })

  test('reports short secrets, placeholders and repeated patterns', async () => {
    const env = {
      ...ENV,
      AUTH_SECRET_3: 'a1b2c3d4',
      AUTH_SECRET_2: 'your-secret-goes-here-and-is-long-enough-for-it',
      AUTH_SECRET_1: 'k7fQz'.repeat(9),
    }
    const { about, text, code } = await examine('{ providers: [password] }', env)
    expect(about('secret').map((line) => line.split(' → ')[0])).toEqual([
      '✗ secret: AUTH_SECRET_3 has 8 of 32 bytes and can be guessed.',
      '✗ secret: AUTH_SECRET_2 is a placeholder and can be guessed.',
      '✗ secret: AUTH_SECRET_1 is a placeholder and can be guessed.',
    ])
    expect(code).toBe(1)
    expect(text).not.toMatch(/a1b2c3d4|goes-here|k7fQz|q3Fz0v/)
  })

  test('checks secrets of the configuration instead of those of the environment', async () => {
    const { about, text, code } = await examine(
      `{ providers: [password], secret: ['${GOOD_SECRET}', '1${GOOD_SECRET}'], jwt: { secret: 'hunter2' } }`,
      { ...ENV, AUTH_SECRET: 'changeme' },
    )
    expect(about('secret').map((line) => line.split(' → ')[0])).toEqual([
      '✗ secret: jwt.secret has 7 of 32 bytes and can be guessed.',
    ])
    expect(code).toBe(1)
    expect(text).not.toMatch(/hunter2|q3Fz0v/)
  })

  test('reports deprecated variables', async () => {
    const { about } = await examine('{ providers: [password] }', {
      NEXTAUTH_SECRET: GOOD_SECRET,
      NEXTAUTH_URL: 'https://app.test',
    })
    expect(about('secret')).toEqual(['✓ secret: NEXTAUTH_SECRET.'])
    expect(about('origin')).toEqual(['✓ origin: https://app.test (NEXTAUTH_URL).'])
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: NEXTAUTH_URL is deprecated; rename it to AUTH_URL.',
      '! configuration: NEXTAUTH_SECRET is deprecated; rename it to AUTH_SECRET.',
    ])
  })
})

describe('what will be removed', () => {
  test('is reported: providers and options', async () => {
    const { about, code } = await examine(
      `{
        providers: [
          { ...GitHub({ clientId: 'app', clientSecret: 'its secret' }), deprecated: 'Use another one.' },
          { ...password, style: { bg: '#000', text: '#fff' }, redirectUri: 'https://app.test' },
        ],
        cookies: { nonce: { name: 'nonce' }, state: { name: 'state' } },
      }`,
      ENV,
    )
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: The provider github is deprecated. → Use another one.',
      '! configuration: cookies.nonce is deprecated. → Configure the cookie with cookies.state.',
      '! configuration: provider password: style.bg is deprecated. → Use style.brandColor.',
      '! configuration: provider password: style.text is deprecated. → Remove it: it has no effect.',
      '! configuration: provider password: redirectUri is deprecated. → Remove it: it has no effect.',
    ])
    expect(code).toBe(0)
  })

  test('each option with @deprecated is looked for', () => {
    const src = new URL('../../../src/', import.meta.url)
    const read = (file: string) => readFileSync(new URL(file, src), 'utf8')
    const files = ['core/config', 'providers'].flatMap((folder) =>
      readdirSync(new URL(folder, src), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => read(`${folder}/${file}`)),
    )
    const found = files.join('\n').matchAll(/@deprecated [^\n]*\*\/\n +(\w+)\?:/g)
    const marked = [...found].map(([, name = '']) => name)
    expect(marked).toContain('pkceCodeVerifier')
    const checked = read('cli/doctor/deprecated.ts')
    // An argument of a callback.
    const missing = marked.filter((name) => name !== 'isNewUser' && !checked.includes(`'${name}'`))
    expect(missing).toEqual([])
  })
})

test.each([
  ['AUTH_SECERT', 'AUTH_SECRET', ['AUTH_URL']],
  ['AUTHSECRET', null, ['AUTH_URL']],
  ['NEXT_AUTH_URL', null, ['AUTH_SECRET']],
  ['AUTH_URI', 'AUTH_URL', ['AUTH_SECRET']],
  ['AUTH_TRUSTHOST', 'AUTH_TRUST_HOST', ['AUTH_SECRET']],
  ['URL', null, ['AUTH_SECRET']],
  ['AUTH_SECERT', null, ['AUTH_SECRET', 'AUTH_URL']],
  ['AUTH_LOG_LEVEL', null, []],
])('asks of %s whether it is %s, with %j set', async (typed, wanted, names) => {
  const set = Object.entries(ENV).filter(([name]) => names.includes(name))
  const env = { ...Object.fromEntries(set), [typed]: 'https://hunter2.test' }
  const { about, text } = await examine('{ providers: [password] }', env)
  expect(about('environment').slice(1)).toEqual(
    wanted ? [`! environment: ${typed} is not read. → Did you mean ${wanted}?`] : [],
  )
  expect(text).not.toContain('hunter2')
})
