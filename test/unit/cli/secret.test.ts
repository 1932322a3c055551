/** `secret` as the built program in a folder. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { programIn } from './program.ts'

describe('secret', () => {
  const SECRET = /^AUTH_SECRET="[\w-]{43}"\n$/

  test('writes a new secret to a file that only the user can read', () => {
    const { run, read, pathOf } = programIn()
    const { status, stdout } = run('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Wrote a new AUTH_SECRET to \.env\.local\.\nAdd .* to \.gitignore/)
    const first = read('.env.local')
    expect(first).toMatch(SECRET)
    expect(statSync(pathOf('.env.local')).mode & 0o777).toBe(0o600)
    rmSync(pathOf('.env.local'))
    run('secret')
    expect(read('.env.local')).not.toBe(first)
  })

  test('keeps an existing secret in .env.local', () => {
    const { run, read } = programIn({ '.env.local': 'AUTH_SECRET=mine' })
    const { status, stdout } = run('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /contains AUTH_SECRET already.*\n.*4 bytes and can be guessed\. Replace it with/,
    )
    expect(read('.env.local')).toBe('AUTH_SECRET=mine')
  })

  test('keeps an existing secret in .env', () => {
    const { run, pathOf } = programIn({ '.env': `AUTH_SECRET="${'x'.repeat(32)}" # mine` })
    const { status, stdout } = run('secret')
    expect(status).toBe(0)
    expect(stdout).toMatch(/\.env contains .* was not changed\.\n.*set AUTH_SECRET_1 to a new one/)
    expect(readdirSync(pathOf('.'))).toEqual(['.env'])
  })

  test.each(['AUTH_SECRET= # openssl rand -base64 32', 'AUTH_SECRET=""', 'AUTH_SECRET=\r'])(
    'is written if a template contains an empty one: %j',
    (line) => {
      const { run, read } = programIn({ '.env.local': `${line}\nOTHER=1\n` })
      expect(run('secret').status).toBe(0)
      const [first, other, ...rest] = read('.env.local').split('\n')
      expect([first, other]).toEqual([line, 'OTHER=1'])
      expect(rest.join('\n')).toMatch(SECRET)
    },
  )

  test('reports in one line that the file cannot be written', () => {
    const { status, stdout, stderr } = programIn({ '.env.local/file': '' }).run('secret')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^\.env\.local was not changed: EISDIR.*\n$/)
  })

  test('is appended, without advice about .gitignore if that ignores the file', () => {
    const { run, read } = programIn({
      '.env.local': 'OTHER=1\n# AUTH_SECRET=old',
      '.gitignore': 'node_modules\n.env*.local\n',
    })
    expect(run('secret').stdout).toBe('Wrote a new AUTH_SECRET to .env.local.\n')
    const [other, comment, ...rest] = read('.env.local').split('\n')
    expect([other, comment]).toEqual(['OTHER=1', '# AUTH_SECRET=old'])
    expect(rest.join('\n')).toMatch(SECRET)
  })
})
