/** The script of the sign-in page with passkeys, which contains a package of others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { passkeyScript } from '../../src/core/pages/passkey-script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PACKAGE = 'node_modules/@simplewebauthn/browser'

test('the script for passkeys has at most 4.8 kB, gzipped', () => {
  const size = gzipSync(passkeyScript, { level: 9 }).length
  expect(size).toBeLessThanOrEqual(4800)
  expect(size).toBeGreaterThan(2400)
})

test('contains the package, names it, and requests nothing from another site', () => {
  expect(passkeyScript).toMatch(
    /^\/\*! Contains @simplewebauthn\/browser, \(c\) 2020 Matthew Miller/,
  )
  expect(passkeyScript).toContain('ERROR_CEREMONY_ABORTED')
  expect(passkeyScript).not.toMatch(/\bimport\(|unpkg|jsdelivr/)
})

test('NOTICE.md has the version and the licence of the package', () => {
  const { version } = JSON.parse(read(`${PACKAGE}/package.json`))
  const notice = read('NOTICE.md').replaceAll(/^> ?/gm, '')
  expect(notice).toContain(`MasterKale/SimpleWebAuthn) ${version}, published under`)
  expect(notice).toContain(read(`${PACKAGE}/LICENSE.md`).trim())
})
