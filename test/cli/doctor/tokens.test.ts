/** `doctor` says where the tokens of providers are stored. */
import { afterAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { checkTokens } from '../../../src/cli/doctor/tokens.ts'
import type { DoctorContext } from '../../../src/cli/doctor/context.ts'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

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
  return (await examineFolder(applicationWith({ 'auth.mjs': code }), [], ENV)).about('tokens')
}

const NO_STORE =
  '! tokens: there is no store of records, so two servers could use the same refresh token at the same time, after which some providers end the access. → For several servers, set store, for example to RedisAdapter(client) or KyselyAdapter(db, { with: ["records"] }).'

const IN_COOKIES =
  '! tokens: servers do not share cookies, so two servers could use the same refresh token at the same time, after which some providers end the access. → For several servers, leave tokens.where out.'

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
  [
    'in cookies, with a store',
    "tokens: { where: 'cookie' }, store: MemoryAdapter()",
    ['✓ tokens: those of providers are stored in cookies, for each session.', IN_COOKIES],
  ],
  [
    'in cookies by the option, without a store',
    "tokens: { where: 'cookie' }",
    [
      '✓ tokens: those of providers are stored in cookies, for each session.',
      NO_STORE.replace(/\.$/, ', and leave tokens.where out.'),
    ],
  ],
  [
    'with an adapter that cannot update accounts, and stores records',
    "tokens: {}, adapter: without('updateAccount')",
    ['✓ tokens: those of providers are stored as records, for each session.'],
  ],
  [
    'with an adapter that cannot update accounts, and stores no records',
    "tokens: {}, adapter: without('updateAccount', ...RECORDS)",
    ['✓ tokens: those of providers are stored in cookies, for each session.', NO_STORE],
  ],
])('%s', async (_name, options, lines) => {
  expect(await examine(options)).toEqual(lines)
})

const RECORDS = ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords']

/** Adapters, and where they can store tokens. */
const ADAPTERS = {
  none: { lacks: null, accounts: false, records: false },
  complete: { lacks: [], accounts: true, records: true },
  'without records': { lacks: RECORDS, accounts: true, records: false },
  'without updateAccount': { lacks: ['updateAccount'], accounts: false, records: true },
  'without either': { lacks: ['updateAccount', ...RECORDS], accounts: false, records: false },
} as const

describe.each([undefined, 'account', 'store', 'cookie'] as const)('tokens.where: %s', (where) => {
  describe.each(Object.entries(ADAPTERS))('adapter: %s', (_name, { lacks, accounts, records }) => {
    test.each([false, true])('store: %s', (hasStore) => {
      const keep = ([name]: [string, unknown]) => !lacks?.some((each) => each === name)
      const adapter = lacks && Object.fromEntries(Object.entries(MemoryAdapter()).filter(keep))
      const config = {
        providers: [],
        tokens: { where },
        ...(adapter && { adapter }),
        ...(hasStore && { store: MemoryAdapter() }),
      }
      const findings = [
        ...checkTokens({ config } as unknown as DoctorContext, adapter ?? undefined),
      ]
      const place = where ?? (accounts ? 'account' : records || hasStore ? 'store' : 'cookie')
      const text = { account: 'with the account', store: 'as records', cookie: 'in cookies' }[place]
      const isSafe = place !== 'cookie' && (records || hasStore)
      expect(JSON.stringify(findings[0])).toContain(`are stored ${text}`)
      expect(findings.map(({ level }) => level)).toEqual(isSafe ? ['ok'] : ['ok', 'warning'])
    })
  })
})
