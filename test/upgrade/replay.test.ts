/** Cookies, links and rows of each release are worth to this one what they were to it. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { unpackAnswers } from './answers.ts'
import { CASES } from './cases.ts'
import { checkCase } from './check-case.ts'
import { frozenVersions, readFrozen, replay } from './frozen.ts'
import type { Frozen } from './frozen.ts'
import { loadLibrary } from './library.ts'
import type { Library } from './library.ts'
import type { SiteName } from './site.ts'

const here = new URL('./', import.meta.url)
const versions = frozenVersions()

let library: Library
beforeAll(async () => {
  library = await loadLibrary()
})
afterEach(() => void vi.useRealTimers())

describe.each(versions)('with what %s has left', (version) => {
  const folder = new URL(`${version}/`, here)
  const frozen = readFrozen(folder)

  test('the files are those that were frozen', () => {
    const { files } = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as {
      files: Record<string, string>
    }
    const hashes = Object.keys(files).map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(new URL(file, folder)))
        .digest('hex'),
    ])
    expect(Object.fromEntries(hashes)).toEqual(files)
  })

  test.each(Object.keys(frozen.cases))('%s', (name) => checkCase({ library, frozen, name }))

  test('its configurations get the same answers', () => {
    const program = fileURLToPath(new URL('answers.mjs', here))
    const configs = fileURLToPath(new URL('config/', folder))
    const answers = execFileSync(process.execPath, [program, configs], { encoding: 'utf8' })
    const recorded = readFileSync(new URL('answers.json', folder), 'utf8')
    expect(JSON.parse(answers)).toMatchObject(unpackAnswers(recorded))
  })

  const REJECTED: readonly [string, SiteName, (cookies: Record<string, string>) => object][] = [
    ['of another secret', 'other', (cookies) => cookies],
    [
      'without its last cookie',
      'jwt',
      ({ '__Host-lib.session-token.1': _gone, ...others }) => others,
    ],
    ['of another name', 'named', (cookies) => ({ 'own-session': Object.values(cookies).join('') })],
    ['that was changed', 'jwt', (cookies) => mapValues(cookies, flipEnd)],
  ]

  test.each(REJECTED)('a session %s stays rejected', async (_name, site, change) => {
    const given = frozen.cases['session in two cookies']
    const cookies = { ...change({ ...given?.cookies }) } as Record<string, string>
    const changed = { cookies, kept: {}, rows: given?.rows ?? [] }
    const { at, tables } = frozen
    const opened = await replay(library, { tables, frozen: changed, at, site })
    expect(await opened.tab.session()).toBeNull()
    await opened.close()
  })
})

test('each case is frozen by the newest release', () => {
  const newest = versions.at(-1) ?? ''
  const { cases }: Frozen = readFrozen(new URL(`${newest}/`, here))
  expect(Object.keys(cases)).toEqual(Object.keys(CASES))
})

function mapValues(values: Record<string, string>, change: (value: string) => string): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function flipEnd(value: string): string {
  const at = value.length - 8
  return `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`
}
