/** What the command line understands, and what it says at the end. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AUTH, contentOf, folderWith, run } from './folder.ts'

describe('what is left to do', () => {
  test('is said of what is installed, of the environment and of other settings, without values', () => {
    const folder = folderWith({
      'package.json': `{\n  "dependencies": {\n    "next-auth": "^5.0.0-beta.32",\n    "@auth/core": "0.41.3"\n  }\n}`,
      '.env.local': `AUTH_SECRET=hunter2\nNEXTAUTH_URL=https://hunter2.test\n# NEXTAUTH_SECRET=x\nexport NEXTAUTH_SECRET=hunter2`,
      'tsconfig.json': `{ "compilerOptions": { "types": ["next-auth"] } }`,
      'auth.ts': AUTH,
    })
    const { printed, text } = run('migrate-imports', folder)
    const left = printed.slice(printed.indexOf('Left to do:') + 1)
    expect(left.slice(0, 5)).toEqual([
      '  .env.local:2: NEXTAUTH_URL is read as a last resort; call it AUTH_URL.',
      '  .env.local:4: NEXTAUTH_SECRET is read as a last resort; call it AUTH_SECRET.',
      '  package.json:3: next-auth is installed. When no import of it is left: npm install lib-auth && npm uninstall next-auth',
      '  package.json:4: @auth/core is installed. When no import of it is left: npm install lib-auth && npm uninstall @auth/core',
      '  tsconfig.json:1: "next-auth" is no import, so it is left.',
    ])
    expect(text).not.toContain('hunter2')
  })

  test('is more when it was version 4', () => {
    const folder = folderWith({
      'package.json': `{ "dependencies": {\n"next-auth": "~4.24.0",\n"@next-auth/prisma-adapter": "1.0.7" } }`,
    })
    const { text } = run('migrate-imports', folder)
    expect(text).toContain('package.json:2: next-auth is installed in version 4')
    expect(text).toContain('package.json:3: @next-auth/prisma-adapter is an adapter of version 4')
  })
})

describe('the command line', () => {
  test.each([[['--help']], [['-h']], [['migrate-imports', '--help']]])('%j explains', (words) => {
    const { code, text, complaints } = run(...words)
    expect(text).toMatch(/^Usage: lib-auth <command>[^]*migrate-imports \[folder\] \[--dry-run\]/)
    expect([code, complaints]).toEqual([0, []])
  })

  test('--version prints the version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(run('--version')).toMatchObject({ code: 0, printed: [version] })
  })

  test.each<[string[], string]>([
    [[], 'Say what to do.'],
    [['migrate'], 'There is no command migrate.'],
    [['toString'], 'There is no command toString.'],
    [['migrate-imports', 'a', 'b'], 'Give one folder, not 2.'],
    [['migrate-imports', '--force'], "Unknown option '--force'"],
  ])('%j is not understood, and says so', (words, expected) => {
    const { code, printed, complaints } = run(...words)
    expect([code, printed]).toEqual([2, []])
    expect(complaints[0]).toContain(expected)
    expect(complaints[0]).toContain('Usage: lib-auth')
  })

  test.each([
    ['a folder that is not there', 'nowhere', /nowhere cannot be read: ENOENT/],
    ['a file', 'auth.ts', /auth\.ts is not a folder\./],
  ])('%s is an error', (_name, name, expected) => {
    const folder = folderWith({ 'auth.ts': AUTH })
    const { code, printed, complaints } = run('migrate-imports', join(folder, name))
    expect([code, printed]).toEqual([2, []])
    expect(complaints.join('\n')).toMatch(expected)
    expect(contentOf(folder)).toEqual({ 'auth.ts': AUTH })
  })
})
