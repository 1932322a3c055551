/** The suite fails for a release that breaks what an earlier one has written: a build with one planted break each. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { checkCase } from './check-case.ts'
import { readFrozen } from './frozen.ts'
import { loadLibrary } from './library.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const frozen = readFrozen(new URL('0.1.0/', import.meta.url))
// Below the repository, so that the builds find its dependencies.
const builds = join(ROOT, '.cache/planted')

/** Replaces a text in all modules of a copy of the build. */
function plant(name: string, [from, to]: readonly [from: string, to: string]): string {
  const copy = join(builds, name)
  mkdirSync(copy, { recursive: true })
  cpSync(join(ROOT, 'dist'), copy, { recursive: true, filter: (file) => !file.endsWith('.d.ts') })
  let found = 0
  for (const file of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue
    const text = readFileSync(join(copy, file), 'utf8')
    if (!text.includes(from)) continue
    found++
    writeFileSync(join(copy, file), text.replaceAll(from, to))
  }
  if (found === 0) throw new Error(`The build does not contain ${from}.`)
  return copy
}

const IN_ROW = 'tokens of a provider, sealed in the row of the account'
const IN_COOKIE = 'tokens of a provider, in a cookie'

/** With the case that fails, and what it says. */
const BREAKS: readonly [
  name: string,
  change: readonly [string, string],
  broken: string,
  message: string,
][] = [
  ['renamed cookie', ['session-token', 'session-tokem'], 'session in one cookie', 'the name'],
  [
    'other key',
    ['Lib Generated Encryption Key', 'Lib Generated Encryption Keys'],
    'session in one cookie',
    'the name',
  ],
  ['other chunks', ['${name}.${index}', '${name}-${index}'], 'session in two cookies', 'the name'],
  ['other table', ['"verification_tokens"', '"verifications"'], 'magic link', 'finished'],
  ['shorter default', ['2592e3', '864e3'], 'session over http', 'the last second of a'],
  ['other records of ended sessions', ['`ended:', '`over:'], 'session that has ended', 'refused'],
  [
    'other records of resets',
    ['`before:', '`until:'],
    'session from before a reset of the password',
    'refused',
  ],
  ['other salt', ['salt: name', 'salt: `${name}.`'], 'session in one cookie', 'the name'],
  [
    'no absolute timeout',
    ['absoluteMaxAge', 'absoluteMaxAges'],
    'session with an absolute timeout',
    'ended by the absolute timeout',
  ],
  ['unknown browsers', ['salt: "lib.known"', 'salt: "lib.knows"'], 'known browser', 'finished'],
  ['other key of tokens', ['salt: "lib.tokens"', 'salt: "lib.token"'], IN_ROW, 'finished'],
  [
    'other key of tokens in cookies',
    ['salt: "lib.tokens"', 'salt: "lib.token"'],
    IN_COOKIE,
    'finished',
  ],
  ['other step-ups', ['salt: "lib.step-up"', 'salt: "lib.stepup"'], 'step-up', 'finished'],
  [
    'other ceremonies',
    ['salt: "lib.challenge"', 'salt: "lib.ceremony"'],
    'sign-in with a passkey',
    'finished',
  ],
  [
    'other key of the redirect proxy',
    ['salt: "lib.redirect-proxy"', 'salt: "lib.proxy"'],
    'sign-in through the redirect proxy',
    'finished',
  ],
  [
    'no expiry',
    ['claims && isCurrent(claims) ? claims : null', 'claims'],
    'second step',
    'expired',
  ],
]

describe('a build', () => {
  beforeAll(() => rmSync(builds, { recursive: true, force: true }))
  afterAll(() => rmSync(builds, { recursive: true, force: true }))
  afterEach(() => void vi.useRealTimers())

  test('without a break passes', async () => {
    const library = await loadLibrary(join(ROOT, 'dist'))
    for (const [, , name] of BREAKS) await checkCase({ library, frozen, name })
  })

  test.each(BREAKS)('with the break "%s" fails', async (name, change, broken, message) => {
    const library = await loadLibrary(plant(name.replaceAll(' ', '-'), change))
    await expect(checkCase({ library, frozen, name: broken })).rejects.toThrow(
      `${broken}: ${message}`,
    )
  })
})
