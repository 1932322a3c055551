/** What `doctor --downgrade` says that an older version cannot do with what the configuration has written. */
import { afterAll, describe, expect, test } from 'vitest'
import { isEarlier } from '../../../src/cli/doctor/downgrade.ts'
import { applicationWith, cleanUp, ENV, examineFolder, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

const SIGN_IN_AGAIN =
  '! downgrade: next-auth has another session cookie: all users have to sign in again. → Keep the tables: users and their accounts stay.'
const HASHES =
  '! downgrade: the database has hashes of session tokens, which next-auth does not find: all users have to sign in again. → Delete the rows of the table of sessions afterwards.'
const SECOND_STEP = /^✗ downgrade: next-auth does not ask for the second step: /
const PASSWORD = /^✗ downgrade: next-auth has no provider Password\(\): /
const TOKENS = /^! downgrade: the tokens of accounts are encrypted, and next-auth returns them so\./

const moduleOf = (config: string) => `
  import GitHub from 'lib-auth/providers/github'
  import MemoryAdapter from 'lib-auth/adapters/memory'
  import { Password } from 'lib-auth/password'
  const github = GitHub({ clientId: 'id', clientSecret: 'a secret of the client' })
  const memory = MemoryAdapter()
  const { listFactors, createFactor, useFactor, deleteFactor, ...adapter } = memory
  export const config = { providers: [github], ${config} }
`

async function examine(config: string, version: string): Promise<readonly string[]> {
  const folder = applicationWith({ 'auth.mjs': moduleOf(config) })
  return (await examineFolder(folder, ['--downgrade', version], ENV)).about('downgrade')
}

test.each<[string, string, (string | RegExp)[]]>([
  ['sessions in cookies', '', [SIGN_IN_AGAIN]],
  ['sessions in the database', 'adapter', [SIGN_IN_AGAIN]],
  ['hashes of session tokens', 'adapter, session: { hashTokens: true }', [HASHES]],
  ['a cookie name of the application', "adapter, cookies: { sessionToken: { name: 'own' } }", []],
  [
    'that name, and sessions in cookies',
    "cookies: { sessionToken: { name: 'own' } }",
    [SIGN_IN_AGAIN],
  ],
  ['second factors', 'adapter: memory', [SIGN_IN_AGAIN, SECOND_STEP]],
  ['passwords', 'adapter, providers: [github, Password()]', [SIGN_IN_AGAIN, PASSWORD]],
  ['encrypted tokens', 'adapter, tokens: {}', [SIGN_IN_AGAIN, TOKENS]],
  ['tokens in plain text', "adapter, tokens: { stored: 'plain' }", [SIGN_IN_AGAIN]],
  ['tokens in cookies', "adapter, tokens: { where: 'cookie' }", [SIGN_IN_AGAIN]],
])('next-auth after %s', async (_name, config, expected) => {
  const found = await examine(config, 'next-auth')
  expect(found).toHaveLength(expected.length)
  for (const [index, each] of expected.entries()) expect(found[index]).toMatch(each)
})

test('an earlier release reads everything', async () => {
  expect(await examine('adapter: memory, tokens: {}', '0.1.0-rc.0')).toEqual([
    '✓ downgrade: lib-auth 0.1.0-rc.0 reads everything that this configuration has written. Tables and columns that were added can stay.',
  ])
})

test('nothing is said without the option', async () => {
  const folder = applicationWith({ 'auth.mjs': moduleOf('adapter: memory') })
  expect((await examineFolder(folder, [], ENV)).about('downgrade')).toEqual([])
})

describe('the program', () => {
  const folder = applicationWith({ 'auth.mjs': moduleOf('adapter: memory') })

  test('exits with 1 if the older version would leave the second step out', async () => {
    const { code, text } = await runDoctor(folder, ['--downgrade', 'next-auth'], ENV)
    expect([code, text]).toEqual([1, expect.stringContaining('does not ask for the second step')])
  })

  test.each(['99.0.0', '0.0.9', 'latest', 'v0.1.0', '0.1.0; ls'])(
    'rejects %s as a version before this one',
    async (version) => {
      const { code, stderr } = await runDoctor(folder, ['--downgrade', version], ENV)
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`--downgrade ${version} is not a version before`),
      ])
    },
  )
})

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.1.0-rc.0', '0.1.0', true],
  ['0.1.0-rc.0', '0.1.0-rc.1', true],
  ['0.1.0-rc.2', '0.1.0-rc.1', false],
  ['0.9.0', '0.10.0', true],
  ['0.10.0', '0.9.0', false],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.0-rc.1', false],
  ['0.2.0-rc.0', '0.1.0', false],
  ['next-auth', '0.1.0', true],
])('whether %s is earlier than %s: %s', (version, own, expected) => {
  expect(isEarlier(version, own)).toBe(expected)
})
