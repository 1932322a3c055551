/** `doctor` reports what attempts are counted by, and where; and what a page for e-mail codes has to contain. */
import { afterAll, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }
const ADDRESS =
  'protection.clientAddress to the header that your proxy sets, or to "none": see node_modules/lib-auth/docs/guides/protection.md#configure-the-client-address'
const SET_STORE = 'For several processes, set store, for example to RedisAdapter(client).'

async function examine(options: string, env: Record<string, string> = {}) {
  const code = `
    import MemoryAdapter from 'lib-auth/adapters/memory'
    const password = { id: 'password', name: 'Password', type: 'credentials', authorize: () => null }
    const mail = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} }
    export const config = { providers: [password], ${options} }
  `
  return examineFolder(applicationWith({ 'auth.mjs': code }), [], { ...ENV, ...env })
}

const PRODUCTION = { NODE_ENV: 'production' }
const ACCOUNT_ONLY = 'attempts are counted by account, not by client address'

test.each<[string, string, Record<string, string>, string[]]>([
  [
    'an unknown client address in production',
    '',
    PRODUCTION,
    [`! limits: ${ACCOUNT_ONLY}, in the memory of each process. → Set ${ADDRESS}`],
  ],
  [
    'an unknown client address in development',
    'store: MemoryAdapter()',
    {},
    [`✓ limits: ${ACCOUNT_ONLY}, in the store of records. → For production, set ${ADDRESS}`],
  ],
  [
    'a header, and no store',
    `protection: { clientAddress: { header: 'x-real-ip' } }`,
    PRODUCTION,
    [
      `✓ limits: attempts are counted by account and by client address (header x-real-ip, hops 1), in the memory of each process. → ${SET_STORE}`,
    ],
  ],
  [
    'no client address on purpose',
    `protection: { clientAddress: 'none' }, store: MemoryAdapter()`,
    PRODUCTION,
    [`✓ limits: ${ACCOUNT_ONLY}, in the store of records.`],
  ],
  [
    'limits that are off',
    `protection: 'off'`,
    PRODUCTION,
    [`✓ limits: off (protection: 'off'): wrong passwords and e-mails are not limited.`],
  ],
  [
    'changed limits, with units in which a wrong one is noticed',
    `store: MemoryAdapter(), protection: { clientAddress: 'none', limits: {
      password: { burst: 5, per: 15 }, 'password.account': { burst: 10, per: 1200 }, 'mail.address': 'off',
      mail: { burst: 3, per: 900_000 }, code: undefined, 'code.user': { burst: 9, per: 172_800 } } }`,
    PRODUCTION,
    [
      '✓ limits: changed: password 5 in 15 s, password.account 10 in 20 min, mail.address off, mail 3 in 250 h, code.user 9 in 2 d.',
      `✓ limits: ${ACCOUNT_ONLY}, in the store of records.`,
    ],
  ],
  ['nothing to guess', 'providers: []', PRODUCTION, []],
])('reports %s', async (_name, options, env, lines) => {
  const { about } = await examine(options, env)
  expect(about('limits')).toEqual(lines)
})

test.each([
  ['code', ['a field for the code']],
  ['both', ['a field for the code']],
  ['link', []],
])(
  'reports that a page of the application needs a field for the code (%s)',
  async (method, texts) => {
    const { about } = await examine(
      `providers: [{ ...mail, method: '${method}' }], adapter: MemoryAdapter(), pages: { verifyRequest: '/check-mail' }`,
    )
    const lines = about('provider mail').filter((line) => line.includes('/check-mail'))
    expect(lines).toEqual(texts.map((text) => expect.stringContaining(text)))
  },
)
