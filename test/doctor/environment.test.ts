/** `doctor` loads `.env` files as Next.js does, and checks secrets. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  applicationWith,
  cleanUp,
  runDoctor,
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
    const here = await runDoctor(folder)
    expect(here.about('environment')).toEqual([
      '✓ environment: variables from .env.local, .env.development, .env, the environment of the process, for NODE_ENV=development.',
    ])
    expect(here.about('secret')).toEqual(['✓ secret: AUTH_SECRET in .env.local.'])
    expect(here.about('origin')).toEqual(['✓ origin: https://local.test (AUTH_URL in .env.local).'])
    const forTests = await runDoctor(folder, [], {
      NODE_ENV: 'test',
      AUTH_URL: 'https://process.test',
    })
    expect(forTests.about('environment')[0]).toContain(
      'variables from .env, the environment of the process, for NODE_ENV=test.',
    )
    expect(forTests.about('origin')).toEqual(['✓ origin: https://process.test (AUTH_URL).'])
  })

  test('are reported if Next.js would expand a $ in a secret', async () => {
    const folder = applicationWith({
      'auth.mjs': moduleWith('{ providers: [password] }'),
      '.env': `AUTH_SECRET='q3Fz0vYB8mJ4tKc7$wXsN1eRh6uPdA9gL2oVi5yZkTbE='\nAUTH_URL=https://app.test`,
      '.env.local': `AUTH_SECRET_1='q3Fz0vYB8mJ4tKc7\\$wXsN1eRh6uPdA9gL2oVi5yZkTbE='`,
    })
    const { about, text } = await runDoctor(folder)
    expect(about('environment').slice(1)).toEqual([
      '! environment: AUTH_SECRET in .env contains $, which Next.js expands as a variable. → Write \\$ for each $ in it.',
    ])
    expect(text).not.toContain('q3Fz0v')
  })
})

describe('secrets', () => {
  test('accepts a random secret', async () => {
    const { about, code } = await examine('{ providers: [password] }', ENV)
    expect([about('secret'), code]).toEqual([['✓ secret: AUTH_SECRET.'], 0])
  })

  test('reports which of several secrets encrypts', async () => {
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
    expect(about('secret')).toEqual([
      '✗ secret: secret is missing. → Set AUTH_SECRET, or secret in the configuration, to 32 random bytes or more: npx lib-auth secret.',
    ])
    expect(code).toBe(1)
  })

  test('reports a very short secret in production once', async () => {
    const env = { ...ENV, NODE_ENV: 'production', AUTH_SECRET: 'a1b2c3d4' }
    const { text } = await examine('{ providers: [password] }', env)
    expect(text.match(/8 bytes/g)).toHaveLength(1)
    expect(text).toMatch(/\n1 error \(✗\), 0 warnings \(!\)\.\n$/)
  })

  test('reports short secrets, placeholders, patterns and duplicates, each once', async () => {
    const env = {
      ...ENV,
      AUTH_SECRET_3: 'a1b2c3d4',
      AUTH_SECRET_2: 'your-secret-goes-here-and-is-long-enough-for-it',
      AUTH_SECRET_1: 'k7fQz'.repeat(9),
    }
    const { about, text, code } = await examine(
      `{ providers: [password], jwt: { secret: '${GOOD_SECRET}' } }`,
      env,
    )
    expect(about('secret').map((line) => line.split(' → ')[0])).toEqual([
      '✗ secret: AUTH_SECRET_3 has 8 bytes; secrets shorter than 32 bytes can be guessed.',
      '✗ secret: AUTH_SECRET_2 is a placeholder.',
      '✗ secret: AUTH_SECRET_1 repeats a pattern and can be guessed.',
      '! secret: jwt.secret is the same as AUTH_SECRET.',
    ])
    expect(code).toBe(1)
    expect(text).not.toMatch(/a1b2c3d4|goes-here|k7fQz|q3Fz0v/)
  })

  test('reports that secrets of the configuration replace those of the environment', async () => {
    const words = 'nobody will ever guess these words of mine'
    const { about, text, code } = await examine(
      `{ providers: [password], secret: ['${words}', ' ${GOOD_SECRET}'] }`,
      ENV,
    )
    expect(about('secret').map((line) => line.split(' → ')[0])).toEqual([
      '✓ secret: secret of the configuration[0] encrypts; decryption only: secret of the configuration[1].',
      '! secret: secret of the configuration[0] consists of words and can be guessed.',
      '! secret: secret of the configuration[1] starts or ends with a quotation mark or a space, which is part of the secret.',
      '! secret: AUTH_SECRET is ignored: the configuration sets secret.',
    ])
    expect(code).toBe(0)
    expect(text).not.toMatch(/nobody will ever|q3Fz0v/)
  })

  test('reports deprecated variables', async () => {
    const { about } = await examine('{ providers: [password] }', {
      NEXTAUTH_SECRET: GOOD_SECRET,
      NEXTAUTH_URL: 'https://app.test',
    })
    expect(about('secret')).toEqual(['✓ secret: NEXTAUTH_SECRET.'])
    expect(about('origin')).toEqual(['✓ origin: https://app.test (NEXTAUTH_URL).'])
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: NEXTAUTH_URL is deprecated; rename it to AUTH_URL. → Rename it wherever it is set.',
      '! configuration: NEXTAUTH_SECRET is deprecated; rename it to AUTH_SECRET. → Rename it wherever it is set.',
    ])
  })
})
