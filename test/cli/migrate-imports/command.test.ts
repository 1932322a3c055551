/** `migrate-imports` in a folder with an application. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AUTH, contentOf, folderWith, OURS, run } from '../folder.ts'

describe('migrate-imports', () => {
  test('rewrites every kind of source file, and reports the changes', async () => {
    const names = [
      'auth.ts',
      'a/b.tsx',
      'c.js',
      'd.jsx',
      'e.mjs',
      'f.cjs',
      'g.mts',
      'h.cts',
      'i.svelte',
      'j.vue',
    ]
    const types = `declare module 'next-auth' { interface User { role: string } }`
    const folder = folderWith({
      ...Object.fromEntries(names.map((name) => [name, AUTH])),
      'next-auth.d.ts': types,
      'readme.md': AUTH,
      'data.json': '"next-auth"',
    })
    const { code, printed, stderr } = await run('migrate-imports', folder)
    expect(contentOf(folder)).toEqual({
      ...Object.fromEntries(names.map((name) => [name, OURS])),
      'next-auth.d.ts': types.replace('next-auth', 'lib-auth/next'),
      'readme.md': AUTH,
      'data.json': '"next-auth"',
    })
    expect([code, stderr]).toEqual([0, []])
    expect(printed.slice(0, 3)).toEqual([
      'a/b.tsx',
      '  1: next-auth → lib-auth/next',
      '  2: next-auth/providers/github → lib-auth/providers/github',
    ])
    expect(printed).toContain('21 imports in 11 files rewritten. 11 files checked.')
    expect(printed.join('\n')).toContain('migrateSessions: true')
  })

  test('uses the current folder by default', async () => {
    const folder = folderWith({ 'auth.ts': AUTH })
    const before = process.cwd()
    process.chdir(folder)
    try {
      expect((await run('migrate-imports')).code).toBe(0)
    } finally {
      process.chdir(before)
    }
    expect(contentOf(folder)).toEqual({ 'auth.ts': OURS })
  })

  test('writes nothing with --dry-run', async () => {
    const folder = folderWith({ 'auth.ts': AUTH })
    const { mtimeMs } = statSync(join(folder, 'auth.ts'))
    const { code, printed } = await run('migrate-imports', '--dry-run', folder)
    expect(printed).toContain('  1: next-auth → lib-auth/next')
    expect(printed).toContain(
      '2 imports in 1 file would be rewritten; nothing was written. 1 file checked.',
    )
    expect(code).toBe(0)
    expect(contentOf(folder)).toEqual({ 'auth.ts': AUTH })
    expect(statSync(join(folder, 'auth.ts')).mtimeMs).toBe(mtimeMs)
  })

  test('changes nothing the second time', async () => {
    const folder = folderWith({ 'auth.ts': AUTH })
    await run('migrate-imports', folder)
    const { mtimeMs } = statSync(join(folder, 'auth.ts'))
    const { code, printed } = await run('migrate-imports', folder)
    expect(printed).toEqual(['0 imports in 0 files rewritten. 1 file checked.'])
    expect(code).toBe(0)
    expect(statSync(join(folder, 'auth.ts')).mtimeMs).toBe(mtimeMs)
  })

  test('ignores dependencies and build output, but not routes with such a name', async () => {
    const others = ['node_modules/a/b.ts', '.git/hooks/a.js', '.next/server/a.js', '.yarn/a.cjs']
    const built = ['dist/a.js', 'build/a.js', 'out/a.js', 'coverage/a.js']
    const own = [
      'app/build/page.tsx',
      'app/out/page.tsx',
      '.storybook/preview.ts',
      'packages/x/a.ts',
    ]
    const all = [...others, ...built, ...own, 'packages/x/node_modules/y/a.ts']
    const folder = folderWith({
      'package.json': '{}',
      ...Object.fromEntries(all.map((name) => [name, AUTH])),
    })
    await run('migrate-imports', folder)
    const content = contentOf(folder)
    expect(all.filter((name) => content[name] === OURS)).toEqual(own)
  })

  test('does not follow symbolic links', async () => {
    const outside = folderWith({ 'auth.ts': AUTH })
    const folder = folderWith({ 'a/auth.ts': AUTH })
    symlinkSync(folder, join(folder, 'a/circle'), 'dir')
    symlinkSync(join(outside, 'auth.ts'), join(folder, 'outside.ts'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dead.ts'))
    const { code, printed } = await run('migrate-imports', folder)
    expect(code).toBe(0)
    expect(printed).toContain('2 imports in 1 file rewritten. 1 file checked.')
    expect(contentOf(outside)).toEqual({ 'auth.ts': AUTH })
    expect(lstatSync(join(folder, 'outside.ts')).isSymbolicLink()).toBe(true)
  })

  test('keeps line endings, the byte order mark and the mode of a file', async () => {
    const windows = `\ufeff${AUTH.replaceAll('\n', '\r\n')}`
    const folder = folderWith({ 'auth.ts': windows })
    // More than a new file may have, whatever the umask.
    chmodSync(join(folder, 'auth.ts'), 0o777)
    await run('migrate-imports', folder)
    expect(readFileSync(join(folder, 'auth.ts'), 'utf8')).toBe(
      `\ufeff${OURS.replaceAll('\n', '\r\n')}`,
    )
    expect(statSync(join(folder, 'auth.ts')).mode & 0o777).toBe(0o777)
  })

  test.each<[string, Buffer]>([
    ['with NUL bytes', Buffer.from(`${AUTH}\0`)],
    ['in another encoding', Buffer.from(`${AUTH}// é`, 'latin1')],
    ['in UTF-16', Buffer.from(`\ufeff${AUTH}`, 'utf16le')],
    ['above 1 MB', Buffer.from(AUTH + ' '.repeat(1024 * 1024))],
  ])('skips a file %s, and reports it', async (_name, bytes) => {
    const folder = folderWith({ 'auth.ts': bytes })
    const { code, text } = await run('migrate-imports', folder)
    expect(text).toContain('auth.ts:1: is not UTF-8 text of at most 1 MB, so it was skipped.')
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'auth.ts')).equals(bytes)).toBe(true)
  })

  test('reports a file that cannot be written, rewrites the others, and exits with 1', async () => {
    const draft = `blocked.ts.${process.pid}.tmp`
    const folder = folderWith({ 'auth.ts': AUTH, 'blocked.ts': AUTH, [draft]: '' })
    const { code, stderr } = await run('migrate-imports', folder)
    expect(code).toBe(1)
    expect(stderr).toEqual(['Failed:', expect.stringMatching(/^ {2}blocked\.ts: EEXIST: /)])
    expect(contentOf(folder)).toEqual({ 'auth.ts': OURS, 'blocked.ts': AUTH, [draft]: '' })
  })

  test.skipIf(process.getuid?.() === 0)('does not write read-only files', async () => {
    const folder = folderWith({ 'auth.ts': AUTH })
    chmodSync(join(folder, 'auth.ts'), 0o444)
    const { code, stderr } = await run('migrate-imports', folder)
    expect(code).toBe(1)
    expect(stderr.join('\n')).toMatch(/auth\.ts: EACCES/)
    expect(contentOf(folder)).toEqual({ 'auth.ts': AUTH })
  })

  test('replaces a file atomically', async () => {
    const folder = folderWith({ 'auth.ts': AUTH })
    const reader = openSync(join(folder, 'auth.ts'), 'r')
    await run('migrate-imports', folder)
    expect(readFileSync(reader, 'utf8')).toBe(AUTH)
    closeSync(reader)
    expect(contentOf(folder)).toEqual({ 'auth.ts': OURS })
  })

  test('keeps an existing file with the name of its draft', async () => {
    const files = { 'auth.ts': AUTH, [`auth.ts.${process.pid}.tmp`]: 'a draft of mine' }
    const folder = folderWith(files)
    const { code } = await run('migrate-imports', folder)
    expect(code).toBe(1)
    expect(contentOf(folder)).toEqual(files)
  })
})

describe('project files', () => {
  const installed = (folder: string, name: string, peers: object) => ({
    [`${folder}node_modules/${name}/package.json`]: JSON.stringify({
      name,
      peerDependencies: peers,
    }),
  })
  const project = (dependencies: object) => JSON.stringify({ dependencies }, null, 1)

  test('a package is uninstalled together with replaced packages that need it', async () => {
    const folder = folderWith({
      'package.json': project({ '@auth/core': '^0.37.4', 'auth-astro': '^4.2.0' }),
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('npm install lib-auth && npm uninstall auth-astro @auth/core')
    expect(text).toContain('npm install lib-auth && npm uninstall auth-astro\n')
  })

  test('a package that is there is not to be installed', async () => {
    const folder = folderWith({
      'package.json': project({ 'next-auth': '^5.0.0', 'lib-auth': '^0.1.0' }),
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('When no import of it remains: npm uninstall next-auth\n')
  })

  test('a package stays while another package needs it', async () => {
    const folder = folderWith({
      'package.json': project({ '@auth/core': '^0.37.4', 'other-auth': '1.0.0' }),
      ...installed('', 'other-auth', { '@auth/core': '*' }),
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('Keep @auth/core as long as other-auth is installed, which needs it.')
    expect(text).not.toContain('npm uninstall')
  })

  test('the ended service passage is listed, with what keeps its import working', async () => {
    const source = "import Passage from '@auth/qwik/providers/passage'\n"
    const folder = folderWith({
      'package.json': project({ '@auth/qwik': '0.9.0' }),
      'src/routes/plugin@auth.ts': source,
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('works as long as @auth/qwik is installed')
    expect(text).toContain('When no import of it remains')
    expect(contentOf(folder)['src/routes/plugin@auth.ts']).toBe(source)
  })

  test('rewrites the frontmatter of a page of Astro', async () => {
    const folder = folderWith({
      'src/pages/index.astro':
        "---\nimport GitHub from '@auth/core/providers/github'\n---\n<p>Hi</p>",
    })
    const { text } = await run('migrate-imports', folder)
    expect(text).toContain('@auth/core/providers/github → lib-auth/providers/github')
  })

  const AUTH_4 = "import NextAuth from 'next-auth'\nexport default NextAuth({ providers: [] })\n"
  const version4 = { 'package.json': project({ 'next-auth': '^4.24.0' }), 'auth.ts': AUTH_4 }

  test.each<[string, Record<string, string>, boolean]>([
    ['nothing', {}, true],
    ['a comment', { 'auth.ts': `${AUTH_4}// secret: ''` }, true],
    ['an empty variable', { '.env': 'NEXTAUTH_SECRET=\n' }, true],
    ['a variable in a file', { '.env.local': 'NEXTAUTH_SECRET=abc\n' }, false],
    ['its new name', { '.env': 'AUTH_SECRET=abc\n' }, false],
    ['the configuration', { 'auth.ts': AUTH_4.replace('{ prov', '{ secret, prov') }, false],
  ])('version 4 without a secret is reported if %s sets it', async (_name, files, isReported) => {
    const { text } = await run('migrate-imports', folderWith({ ...version4, ...files }))
    expect(text.includes('No AUTH_SECRET was found.')).toBe(isReported)
  })

  test.each<[string, Record<string, string>, boolean]>([
    ['another package', { 'apps/b/.env': 'AUTH_SECRET=abc\n' }, true],
    ['a package whose name begins alike', { 'apps/ab/.env': 'AUTH_SECRET=abc\n' }, true],
    ['the package', { 'apps/a/src/.env': 'AUTH_SECRET=abc\n' }, false],
    ['the root of the repository', { '.env': 'AUTH_SECRET=abc\n' }, false],
  ])('in a monorepo, it is reported if %s sets it', async (_name, files, isReported) => {
    const app = Object.entries(version4).map(([file, text]) => [`apps/a/${file}`, text])
    const folder = folderWith({ 'package.json': '{}', ...Object.fromEntries(app), ...files })
    const { text } = await run('migrate-imports', folder)
    expect(text.includes('No AUTH_SECRET was found.')).toBe(isReported)
  })

  test('version 5 without a secret is not reported', async () => {
    const files = { ...version4, 'package.json': project({ 'next-auth': '5.0.0-beta.32' }) }
    const { text } = await run('migrate-imports', folderWith(files))
    expect(text).not.toContain('No AUTH_SECRET was found.')
  })

  test('an issuer over http is reported in environment files', async () => {
    const lines =
      'AUTH_KEYCLOAK_ISSUER="http://localhost:8080"\nKEYCLOAK_ISSUER=http://localhost:8080\nAUTH_OKTA_ISSUER=https://x.okta.com\n'
    const { text } = await run('migrate-imports', folderWith({ '.env': lines }))
    expect(text.match(/\[insecureHttp\]: true/g)).toHaveLength(2)
  })
})
