/** What the doctor says of `.env` files and of secrets. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  applicationWith,
  cleanUp,
  diagnose,
  ENV,
  examine,
  GOOD_SECRET,
  moduleWith,
} from './patient.ts'

afterAll(cleanUp)

describe('.env files', () => {
  test('are read as Next.js reads them: what the process has goes first', async () => {
    const folder = applicationWith({
      'auth.mjs': moduleWith('{ providers: [password] }'),
      '.env': 'AUTH_URL=https://last.test\nAUTH_SECRET=short',
      '.env.development': 'AUTH_URL=https://development.test\nAUTH_SECRET=short',
      '.env.local': `HOST=local.test\nAUTH_URL="https://\${HOST}"\nAUTH_SECRET=${GOOD_SECRET}`,
      '.env.production': 'AUTH_URL=https://production.test',
    })
    const here = await diagnose(folder)
    expect(here.about('environment')).toEqual([
      '✓ environment: .env.local, .env.development, .env and the process, for NODE_ENV=development.',
    ])
    expect(here.about('secret')).toEqual(['✓ secret: AUTH_SECRET in .env.local.'])
    expect(here.about('origin')).toEqual([
      '✓ origin: https://local.test, as AUTH_URL in .env.local says.',
    ])
    const forTests = await diagnose(folder, [], {
      NODE_ENV: 'test',
      AUTH_URL: 'https://process.test',
    })
    expect(forTests.about('environment')[0]).toContain('.env and the process, for NODE_ENV=test.')
    expect(forTests.about('origin')).toEqual(['✓ origin: https://process.test, as AUTH_URL says.'])
  })

  test('in which a secret would be changed by Next.js', async () => {
    const folder = applicationWith({
      'auth.mjs': moduleWith('{ providers: [password] }'),
      '.env': `AUTH_SECRET='q3Fz0vYB8mJ4tKc7$wXsN1eRh6uPdA9gL2oVi5yZkTbE='\nAUTH_URL=https://app.test`,
      '.env.local': `AUTH_SECRET_1='q3Fz0vYB8mJ4tKc7\\$wXsN1eRh6uPdA9gL2oVi5yZkTbE='`,
    })
    const { about, text } = await diagnose(folder)
    expect(about('environment').slice(1)).toEqual([
      '! environment: AUTH_SECRET in .env holds a $, and Next.js puts another variable in its place. → Write \\$ for each $ in it.',
    ])
    expect(text).not.toContain('q3Fz0v')
  })
})

describe('secrets', () => {
  test('one that is good', async () => {
    const { about, code } = await examine('{ providers: [password] }', ENV)
    expect([about('secret'), code]).toEqual([['✓ secret: AUTH_SECRET.'], 0])
  })

  test('a list for rotation says which one writes', async () => {
    const env = { ...ENV, AUTH_SECRET_2: `2${GOOD_SECRET}`, AUTH_SECRET_1: `1${GOOD_SECRET}` }
    const { about } = await examine('{ providers: [password] }', env)
    expect(about('secret')).toEqual([
      '✓ secret: AUTH_SECRET_2 writes; AUTH_SECRET_1, AUTH_SECRET only read.',
    ])
  })

  test.each(['development', 'production'])('none, in %s', async (NODE_ENV) => {
    const { about, code } = await examine('{ providers: [password] }', {
      NODE_ENV,
      AUTH_URL: ENV.AUTH_URL,
    })
    expect(about('secret')).toEqual([
      '✗ secret: secret is missing. → Set AUTH_SECRET, or secret in the configuration, to 32 random bytes or more: npx lib-auth secret.',
    ])
    expect(code).toBe(1)
  })

  test('short ones, placeholders, repetitions and copies', async () => {
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
      '✗ secret: AUTH_SECRET_3 has 8 bytes, and with fewer than 32 it can be guessed.',
      '✗ secret: AUTH_SECRET_2 is a placeholder.',
      '✗ secret: AUTH_SECRET_1 repeats itself, so it can be guessed.',
      '! secret: jwt.secret is the same as AUTH_SECRET.',
    ])
    expect(code).toBe(1)
    expect(text).not.toMatch(/a1b2c3d4|goes-here|k7fQz|q3Fz0v/)
  })

  test('in the configuration go before those in the environment', async () => {
    const words = 'nobody will ever guess these words of mine'
    const { about, text, code } = await examine(
      `{ providers: [password], secret: ['${words}', ' ${GOOD_SECRET}'] }`,
      ENV,
    )
    expect(about('secret').map((line) => line.split(' → ')[0])).toEqual([
      '✓ secret: secret of the configuration[0] writes; secret of the configuration[1] only reads.',
      '! secret: secret of the configuration[0] is made of words, which may be guessed.',
      '! secret: secret of the configuration[1] begins or ends with a quotation mark or a space, which is part of it.',
      '! secret: AUTH_SECRET is set and not used: secret of the configuration goes before it.',
    ])
    expect(code).toBe(0)
    expect(text).not.toMatch(/nobody will ever|q3Fz0v/)
  })

  test('under a name from before', async () => {
    const { about } = await examine('{ providers: [password] }', {
      NEXTAUTH_SECRET: GOOD_SECRET,
      NEXTAUTH_URL: 'https://app.test',
    })
    expect(about('secret')).toEqual(['✓ secret: NEXTAUTH_SECRET.'])
    expect(about('origin')).toEqual(['✓ origin: https://app.test, as NEXTAUTH_URL says.'])
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: NEXTAUTH_URL is deprecated; rename it to AUTH_URL. → Rename it wherever it is set.',
      '! configuration: NEXTAUTH_SECRET is deprecated; rename it to AUTH_SECRET. → Rename it wherever it is set.',
    ])
  })
})
