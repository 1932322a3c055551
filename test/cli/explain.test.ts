/** `explain` prints sections of docs/errors.md. */
import { describe, expect, test } from 'vitest'
import * as classes from '../../src/errors.ts'
import { programIn } from './program.ts'

const explain = (...words: string[]) => programIn().run('explain', ...words)

/** The types of the classes, without those that only group others. */
const TYPES = new Set(
  Object.values(classes).flatMap((each) =>
    'type' in each && typeof each.type === 'string' && each.type !== 'AuthError' ? [each.type] : [],
  ),
)

test('the built program prints the section of an error as plain text', () => {
  const { status, stdout, stderr } = programIn().start('explain', 'UntrustedHost')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^UntrustedHost\n\nThe host of the request is not trusted\./)
  expect(stdout).toContain('\nFix: Set AUTH_URL=https://your.site; or list the hosts')
  expect(stdout).toContain('  export const behindProxy: AuthConfig = { providers: [], trustHost')
  expect(stdout).toMatch(/\nStatus 400 · page none · shown to the browser as Configuration\n$/)
  expect(stdout).not.toMatch(/^[#|]|\*\*|`|\]\(/m)
})

test.each([...TYPES])('explains %s', async (type) => {
  const { status, stdout } = await explain(type)
  expect(status).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${type}\n\n`))
  expect(stdout).toMatch(/\nStatus \d+/)
  expect(stdout).not.toContain('](')
})

test('names the files that a section links, and the targets in the same page by their label only', async () => {
  const { stdout } = await explain('InvalidCheck')
  expect(stdout).toContain('debug log (node_modules/lib-auth/docs/guides/debug-log.md)')
  expect(stdout).not.toContain('errors.md')
})

test('without a type, lists those of all errors', async () => {
  const { status, stdout } = await explain()
  expect(status).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual(expect.arrayContaining([...TYPES]))
})

describe('finds the type', () => {
  test.each(['untrustedhost', '[auth][error] UntrustedHost:', '?error=UntrustedHost'])(
    'in %s',
    async (typed) => {
      expect((await explain(typed)).stdout).toMatch(/^UntrustedHost\n/)
    },
  )

  test.each([
    ['UntrustedHots', ' Did you mean UntrustedHost?'],
    ['toString', ''],
    ['constructor', ''],
    ['', ''],
  ])('and rejects "%s"', async (typed, suggestion) => {
    const { status, stdout, stderr } = await explain(typed)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`lib-auth has no error "${typed}".${suggestion}\nAll errors: `)
  })
})
