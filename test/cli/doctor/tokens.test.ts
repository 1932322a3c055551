/** `doctor` says where the tokens of providers are stored. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** The findings about tokens. */
async function examine(options: string): Promise<readonly string[]> {
  const code = `
    import MemoryAdapter from 'lib-auth/adapters/memory'
    const without = (...names) =>
      Object.fromEntries(Object.entries(MemoryAdapter()).filter(([name]) => !names.includes(name)))
    const RECORDS = ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords']
    export const config = { providers: [], session: { strategy: 'jwt' }, ${options} }
  `
  return (await runDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)).about('tokens')
}

const NO_STORE =
  '! tokens: there is no store of records, so two servers could use the same refresh token at the same time, after which some providers end the access. → For several servers, set store, for example to RedisAdapter(client).'

test.each([
  ['without the option', 'adapter: MemoryAdapter()', []],
  [
    'with an adapter',
    'tokens: {}, adapter: MemoryAdapter()',
    ['✓ tokens: those of providers are stored with the account, encrypted.'],
  ],
  [
    'in plain text',
    "tokens: { stored: 'plain' }, adapter: MemoryAdapter()",
    ['✓ tokens: those of providers are stored with the account, in plain text.'],
  ],
  [
    'with an adapter without records',
    'tokens: {}, adapter: without(...RECORDS)',
    ['✓ tokens: those of providers are stored with the account, encrypted.', NO_STORE],
  ],
  [
    'with a store',
    'tokens: {}, store: MemoryAdapter()',
    ['✓ tokens: those of providers are stored as records, for each session.'],
  ],
  [
    'with neither',
    'tokens: {}',
    ['✓ tokens: those of providers are stored in cookies, for each session.', NO_STORE],
  ],
])('%s', async (_name, options, lines) => {
  expect(await examine(options)).toEqual(lines)
})
