/** Started by tools/freeze.mjs: writes what browsers and databases have after sign-ins with `next-auth` 5. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tablesOf } from './databases.ts'
import { CAPTURED_AT } from './frozen.ts'
import type { FrozenCase } from './frozen.ts'
import { captureNextAuth, NEXT_AUTH_CASES } from './next-auth.ts'

test('freezes next-auth 5', async () => {
  const manifest = new URL('../../node_modules/@auth/core/package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const cases: Record<string, FrozenCase> = {}
  for (const name of Object.keys(NEXT_AUTH_CASES)) cases[name] = await captureNextAuth(name)
  const folder = new URL('next-auth-5/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const frozen = { version: `@auth/core ${version}`, at: CAPTURED_AT, tables: tablesOf('sqlite') }
  const text = JSON.stringify({ ...frozen, cases }, null, 2)
  writeFileSync(new URL('cases.json', folder), `${text}\n`)
  expect(Object.keys(cases)).toEqual(Object.keys(NEXT_AUTH_CASES))
})
