/** `secret` in a folder. */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contentOf, folderWith } from './folder.ts'
import { programIn } from './program.ts'

describe('secret', () => {
  const SECRET = /^AUTH_SECRET="[\w-]{43}"\n$/

  test('writes a new secret to a file that only the user can read', async () => {
    const { start, read, pathOf } = programIn()
    const { status, stdout } = start('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Wrote a new AUTH_SECRET to \.env\.local\.\nAdd .* to \.gitignore/)
    const first = read('.env.local')
    expect(first).toMatch(SECRET)
    expect(statSync(pathOf('.env.local')).mode & 0o777).toBe(0o600)
    rmSync(pathOf('.env.local'))
    start('secret')
    expect(read('.env.local')).not.toBe(first)
  })

  test('keeps an existing secret in .env.local', async () => {
    const { run, read } = programIn({ '.env.local': 'AUTH_SECRET=mine' })
    const { status, stdout } = await run('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /contains AUTH_SECRET already.*\n.*4 bytes and can be guessed\. Replace it with/,
    )
    expect(read('.env.local')).toBe('AUTH_SECRET=mine')
  })

  test('keeps an existing secret in .env', async () => {
    const { run, pathOf } = programIn({ '.env': `AUTH_SECRET="${'x'.repeat(32)}" # mine` })
    const { status, stdout } = await run('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/\.env contains .* was not changed\.\n.*set AUTH_SECRET_1 to a new one/)
    expect(readdirSync(pathOf('.'))).toEqual(['.env', 'package.json'])
  })

  test.each(['AUTH_SECRET= # openssl rand -base64 32', 'AUTH_SECRET=""', 'AUTH_SECRET=\r'])(
    'is written if a template contains an empty one: %j',
    async (line) => {
      const { run, read } = programIn({ '.env.local': `${line}\nOTHER=1\n` })
      expect((await run('secret')).status).toBe(0)
      const [first, other, ...rest] = read('.env.local').split('\n')
      expect([first, other]).toEqual([line, 'OTHER=1'])
      expect(rest.join('\n')).toMatch(SECRET)
    },
  )

  test('reports in one line that the file cannot be written', async () => {
    const { status, stdout, stderr } = await programIn({ '.env.local/file': '' }).run('secret')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\.env\.local was not changed: EISDIR.*\n$/)
  })

  test('is not written to a folder without a project', async () => {
    const { run, pathOf } = programIn()
    rmSync(pathOf('package.json'))
    const { status, stdout, stderr } = await run('secret')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\.env\.local was not changed: .* has no package\.json\. Run this/)
    expect(readdirSync(pathOf('.'))).toEqual([])
  })

  test('is appended, without advice about .gitignore if that ignores the file', async () => {
    const { run, read } = programIn({
      '.env.local': 'OTHER=1\n# AUTH_SECRET=old',
      '.gitignore': 'node_modules\n.env*.local\n',
    })
    expect((await run('secret')).stdout).toBe('Wrote a new AUTH_SECRET to .env.local.\n')
    const [other, comment, ...rest] = read('.env.local').split('\n')
    expect([other, comment]).toEqual(['OTHER=1', '# AUTH_SECRET=old'])
    expect(rest.join('\n')).toMatch(SECRET)
  })
})

describe('an existing .env.local', () => {
  const BOM = '\uFEFF'

  test('keeps its values after a byte order mark', async () => {
    const content = `${BOM}AUTH_SECRET=mine\nAUTH_GITHUB_ID=\n`
    const { run, read } = programIn({ '.env.local': content })
    expect((await run('secret')).stdout).toContain('.env.local contains AUTH_SECRET already')
    expect(read('.env.local')).toBe(content)
    const first = `${BOM}AUTH_GITHUB_ID=mine\n`
    const other = programIn({ '.env.local': first })
    expect((await other.run('add', 'github')).stdout).toContain('contains AUTH_GITHUB_ID already')
    expect(other.read('.env.local')).toBe(`${first}AUTH_GITHUB_SECRET=\n`)
  })

  test.each([
    ['UTF-16 with a byte order mark', Buffer.from(`${BOM}AUTH_SECRET=mine\r\n`, 'utf16le')],
    ['UTF-16', Buffer.from('AUTH_SECRET=mine\r\n', 'utf16le')],
    ['Latin-1', Buffer.from('NAME=J\u00fcrgen\n', 'latin1')],
  ])('is not changed if it is %s', async (_encoding, content) => {
    const { run, pathOf, bytes } = programIn()
    writeFileSync(pathOf('.env.local'), content)
    for (const words of [['secret'], ['add', 'github']]) {
      const { status, stderr } = await run(...words)
      expect(status).toBe(1)
      expect(stderr).toBe(
        '.env.local was not changed: .env.local is not UTF-8 text. Save it with the encoding UTF-8.\n',
      )
      expect(bytes('.env.local').equals(content)).toBe(true)
    }
  })

  test.each([
    ['a file outside the folder', { shared: 'OTHER=1\n' }],
    ['a missing file', {}],
  ])('is not changed if it is a symbolic link to %s', async (what, files) => {
    const outside = folderWith(files)
    const { run, pathOf } = programIn()
    symlinkSync(`${outside}/shared`, pathOf('.env.local'))
    for (const words of [['secret'], ['add', 'github']]) {
      const { status, stderr } = await run(...words)
      expect(status).toBe(1)
      expect(stderr).toMatch(/^\.env\.local was not changed: it is a symbolic link to .*\n$/)
      expect(stderr).toContain(what === 'a missing file' ? what : `${outside}/shared`)
    }
    expect(contentOf(outside)).toEqual(files)
  })

  test('is changed if it is a symbolic link to a file of the folder', async () => {
    const { run, read, pathOf } = programIn({ 'settings/local': '' })
    symlinkSync('settings/local', pathOf('.env.local'))
    expect((await run('secret')).status).toBe(0)
    expect(read('settings/local')).toMatch(/^AUTH_SECRET=/)
  })
})

describe('the advice about .gitignore', () => {
  const ADVICE = 'Add .env.local to .gitignore'

  test.each([
    ['.env*\n!.env.local\n', true],
    ['!.env.local\n.env*\n', false],
    ['# .env.local\n', true],
  ])('follows the last line that matches: %j', async (lines, isGiven) => {
    const { run } = programIn({ '.gitignore': lines })
    expect((await run('secret')).stdout.includes(ADVICE)).toBe(isGiven)
  })

  test.each([
    ['.env*\n!/.env.?ocal\n', true],
    ['/.env.[l]ocal\n', false],
  ])('is that of git in a repository: %j', async (lines, isGiven) => {
    const { run, pathOf } = programIn({ '.gitignore': lines })
    expect(spawnSync('git', ['init', '--quiet', pathOf('.')]).status).toBe(0)
    expect((await run('secret')).stdout.includes(ADVICE)).toBe(isGiven)
  })
})
