/** `secret` as the built program in a folder. */
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../../../dist/cli/index.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lib-auth-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(pathOf(name), 'utf8')

function lib(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8' })
}

describe('secret', () => {
  const SECRET = /^AUTH_SECRET="[\w-]{43}"\n$/

  test('writes a new secret to a file that only the user can read', () => {
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Wrote a new AUTH_SECRET to \.env\.local\.\nAdd .* to \.gitignore/)
    const first = read('.env.local')
    expect(first).toMatch(SECRET)
    expect(statSync(pathOf('.env.local')).mode & 0o777).toBe(0o600)
    rmSync(pathOf('.env.local'))
    lib('secret')
    expect(read('.env.local')).not.toBe(first)
  })

  test('keeps an existing secret in .env.local', () => {
    writeFileSync(pathOf('.env.local'), 'AUTH_SECRET=mine')
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /contains AUTH_SECRET already.*\n.*4 bytes and can be guessed\. Replace it with/,
    )
    expect(read('.env.local')).toBe('AUTH_SECRET=mine')
  })

  test('keeps an existing secret in .env', () => {
    writeFileSync(pathOf('.env'), `AUTH_SECRET="${'x'.repeat(32)}" # mine`)
    const { status, stdout } = lib('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/\.env contains .* was not changed\.\n.*set AUTH_SECRET_1 to a new one/)
    expect(readdirSync(folder)).toEqual(['.env'])
  })

  test.each(['AUTH_SECRET= # openssl rand -base64 32', 'AUTH_SECRET=""', 'AUTH_SECRET=\r'])(
    'is written if a template contains an empty one: %j',
    (line) => {
      writeFileSync(pathOf('.env.local'), `${line}\nOTHER=1\n`)
      expect(lib('secret').status).toBe(0)
      const [first, other, ...rest] = read('.env.local').split('\n')
      expect([first, other]).toEqual([line, 'OTHER=1'])
      expect(rest.join('\n')).toMatch(SECRET)
    },
  )

  test('reports in one line that the file cannot be written', () => {
    mkdirSync(pathOf('.env.local'))
    const { status, stdout, stderr } = lib('secret')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\.env\.local was not changed: EISDIR.*\n$/)
  })

  test('is appended, without advice about .gitignore if that ignores the file', () => {
    writeFileSync(pathOf('.env.local'), 'OTHER=1\n# AUTH_SECRET=old')
    writeFileSync(pathOf('.gitignore'), 'node_modules\n.env*.local\n')
    expect(lib('secret').stdout).toBe('Wrote a new AUTH_SECRET to .env.local.\n')
    const [other, comment, ...rest] = read('.env.local').split('\n')
    expect([other, comment]).toEqual(['OTHER=1', '# AUTH_SECRET=old'])
    expect(rest.join('\n')).toMatch(SECRET)
  })
})
