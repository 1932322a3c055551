/** What is published can be installed and used: packed, unpacked, imported. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = mkdtempSync(join(tmpdir(), 'lib-auth-tarball-'))
const PACKAGE = join(FOLDER, 'node_modules/lib-auth')

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Whether the source has changed since it was built. */
function isStale(): boolean {
  const built = join(ROOT, 'dist/index.js')
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).some(
    (file) => statSync(join(ROOT, 'src', file)).mtimeMs > mtimeMs,
  )
}

/** A project into which the package is installed as npm would, without asking a registry. */
function install(): void {
  if (isStale()) execFileSync(process.execPath, ['tools/build.mjs'], { cwd: ROOT })
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', FOLDER], {
    cwd: ROOT,
    stdio: 'pipe',
  })
  const tarball = readdirSync(FOLDER).find((file) => file.endsWith('.tgz')) ?? ''
  mkdirSync(PACKAGE, { recursive: true })
  execFileSync('tar', ['-xzf', join(FOLDER, tarball), '-C', PACKAGE, '--strip-components', '1'])
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }')
}

/** Makes packages of the repository available to the project. */
function link(names: readonly string[]): void {
  for (const name of names) {
    const target = join(FOLDER, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), target, 'dir')
  }
}

install()
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as Manifest
link(Object.keys(manifest.dependencies))

const files = readdirSync(PACKAGE, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(PACKAGE.length + 1)
      .replaceAll('\\', '/'),
  )

/** The subpaths, with each file that a pattern stands for. */
function subpaths(): string[] {
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (target === null) return []
    if (!subpath.includes('*')) return [subpath]
    const [start = '', end = ''] = subpath.slice(2).split('*')
    return files
      .filter((file) => file.startsWith(`dist/${start}`) && file.endsWith('.js'))
      .map((file) => file.slice(`dist/${start}`.length, -'.js'.length))
      .filter((name) => !name.startsWith('_') && name !== 'index' && !name.includes('/'))
      .map((name) => `./${start}${name}${end}`)
  })
}

function specifier(subpath: string): string {
  return manifest.name + subpath.slice(1)
}

/** Runs a module in the project; what it prints, or why it failed. */
function run(code: string): { readonly output: string; readonly problem: string } {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: FOLDER, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } },
  )
  return { output: stdout.trim(), problem: status === 0 ? '' : stderr }
}

/** The names a subpath exports. */
const importing = (subpath: string) =>
  `const all = await import(${JSON.stringify(specifier(subpath))}); console.log(Object.keys(all).join())`

describe('the published files', () => {
  test('are what was built, and what says what it is', () => {
    const others = files.filter((file) => !file.startsWith('dist/'))
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'docs/errors.md',
      'docs/guides/migrate-from-next-auth.md',
      'package.json',
    ])
  })

  test('are JavaScript and types, for each file of the source and no other', () => {
    const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => file.replaceAll('\\', '/').replace(/\.tsx?$/, ''))
    const expected = source.flatMap((file) =>
      ['.js', '.d.ts'].map((extension) => `dist/${file}${extension}`),
    )
    expect(files.filter((file) => file.startsWith('dist/')).sort()).toEqual(expected.sort())
  })

  test('mention no path of the machine they were built on', () => {
    const pattern = /\/(?:home|Users|root|work|tmp|private)\/|[A-Z]:\\\\|file:\/\/\//
    const telling = files.filter((file) => pattern.test(readFileSync(join(PACKAGE, file), 'utf8')))
    expect(telling).toEqual([])
    expect(
      files.filter((file) => readFileSync(join(PACKAGE, file), 'utf8').includes(ROOT)),
    ).toEqual([])
  })

  test('import each other by the names they have', () => {
    const code = files
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(PACKAGE, file), 'utf8'))
      .join('\n')
    const imports = [...code.matchAll(/ from '(\..*)'/g)].map(([, target = '']) => target)
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.filter((target) => !target.endsWith('.js'))).toEqual([])
  })

  test('include every file the exports name', () => {
    const targets = Object.values(manifest.exports)
      .flatMap((target) =>
        typeof target === 'object' && target ? Object.values(target) : [target],
      )
      .filter((target): target is string => typeof target === 'string' && !target.includes('*'))
    expect(targets.filter((target) => !existsSync(join(PACKAGE, target)))).toEqual([])
  })
})

describe('without Next.js and React', () => {
  const needsThem = new Set(['./next', './react'])

  test.each(subpaths().filter((subpath) => !needsThem.has(subpath) && !subpath.endsWith('.json')))(
    '%s can be imported, and prints nothing by itself',
    (subpath) => {
      const { output, problem } = run(importing(subpath))
      expect(problem).toBe('')
      // What a module that exports only types has to say is an empty line.
      expect(output).toMatch(/^[\w,$]*$/)
    },
  )

  test('what is not exported cannot be imported', () => {
    for (const subpath of ['./dist/auth.js', './auth', './session/jwt', './providers/_x'])
      expect(run(importing(subpath)).problem).toMatch(/ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })

  test('a sign-in works', () => {
    const { output, problem } = run(`
      import { issuer, browser } from 'lib-auth/testing'
      const op = await issuer()
      const { url, clientId, clientSecret } = op
      const config = {
        providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: url, clientId, clientSecret }],
        secret: 'a secret for tests, long enough for everybody',
        trustHost: true,
        fetch: op.fetch,
      }
      const tab = browser(config, { issuer: op })
      await tab.signIn('op')
      console.log((await tab.session()).user.name)
    `)
    expect(problem).toBe('')
    expect(output).toBe('Ada Lovelace')
  })
})

describe('the command line', () => {
  /** Runs the program as a shell does: by its own first line. */
  function lib(...words: string[]) {
    const program = join(PACKAGE, manifest.bin['lib-auth'] ?? '')
    return spawnSync(program, words, { cwd: FOLDER, encoding: 'utf8' })
  }

  test('can be run as it was installed', () => {
    const { status, stdout, stderr } = lib('--version')
    expect([status, stdout.trim(), stderr]).toEqual([0, manifest.version, ''])
  })

  test('knows the providers that are published', () => {
    const folder = join(FOLDER, 'application')
    mkdirSync(folder)
    const code = (name: string) => `import GitHub from '${name}/providers/github'\n`
    writeFileSync(join(folder, 'auth.ts'), code('next-auth'))
    const { status, stdout, stderr } = lib('migrate-imports', 'application')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^auth\.ts\n {2}1: next-auth\/providers\/github → lib-auth\/providers\/github\n/,
    )
    expect(readFileSync(join(folder, 'auth.ts'), 'utf8')).toBe(code('lib-auth'))
  })
})

describe('without nodemailer', () => {
  test('a configuration can name it, and a mail that is to be sent says what to install', () => {
    const { output, problem } = run(`
      import Nodemailer from 'lib-auth/providers/nodemailer'
      const provider = Nodemailer({ server: 'smtp://127.0.0.1:1' })
      const url = 'https://app.test/'
      await provider
        .sendVerificationRequest({ identifier: 'a@b.test', url, theme: {}, provider: provider.options })
        .catch(({ type, message }) => console.log(type, message))
    `)
    expect(problem).toBe('')
    expect(output).toMatch(/^InvalidConfiguration .*Install it: npm install nodemailer\./)
  })
})

describe('beside Next.js and React', () => {
  test.each(['./react', './next'])('%s can be imported', (subpath) => {
    if (!existsSync(join(FOLDER, 'node_modules/next'))) link(Object.keys(manifest.peerDependencies))
    const { output, problem } = run(importing(subpath))
    expect(problem).toBe('')
    expect(output).toMatch(/\w/)
  })
})
