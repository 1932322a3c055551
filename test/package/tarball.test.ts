/** The packed package: its files, its imports and its command line. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FOLDER, install, link, PACKAGE, ROOT, run } from './installed.ts'

const manifest = install()
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const files = readdirSync(PACKAGE, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(PACKAGE.length + 1)
      .replaceAll('\\', '/'),
  )

/** Modules, below src/. */
const SOURCE = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))

/** The published JavaScript, by file. */
const CODE = files
  .filter((file) => file.endsWith('.js'))
  .map((file) => [file, readFileSync(join(PACKAGE, file), 'utf8')] as const)

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

const specifier = (subpath: string) => manifest.name + subpath.slice(1)

/** The names a subpath exports. */
const importing = (subpath: string) =>
  `const all = await import(${JSON.stringify(specifier(subpath))}); console.log(Object.keys(all).join())`

describe('the published files', () => {
  test('are the build output, the documents and the manifest', () => {
    const others = files.filter((file) => !/^(?:dist|docs)\//.test(file))
    expect(others.sort().join(' ')).toBe(
      'CHANGELOG.md CONTRIBUTING.md LICENSE NOTICE.md README.md SECURITY.md STABILITY.md etc/support.json package.json',
    )
    const documents = files.filter((file) => file.startsWith('docs/'))
    expect(documents).toContain('docs/errors.md')
    expect(documents.filter((file) => !file.endsWith('.md'))).toEqual([])
  })

  test('have no dead link: the target of each relative link is published', () => {
    const dead = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const text = readFileSync(join(PACKAGE, file), 'utf8').replace(/```[^]*?```/g, '')
        return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, target = '']) => target.replace(/#.*/, ''))
          .filter((target) => target !== '' && !/^(?:https?|mailto):/.test(target))
          .filter((target) => !existsSync(join(PACKAGE, dirname(file), target)))
          .map((target) => `${file}: ${target}`)
      })
    expect(dead).toEqual([])
  })

  test('name the repository and have keywords', () => {
    const { repository, homepage, bugs, keywords } = manifest
    expect(repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/lib-auth/lib-auth.git',
    })
    expect(homepage).toBe('https://github.com/lib-auth/lib-auth#readme')
    expect(bugs).toBe('https://github.com/lib-auth/lib-auth/issues')
    for (const word of ['authentication', 'oauth', 'oidc', 'nextjs', 'session'])
      expect(keywords).toContain(word)
  })

  test('have types for each module of the source, and no other', () => {
    const expected = SOURCE.map((file) => `dist/${file.replace(/\.tsx?$/, '.d.ts')}`)
    expect(files.filter((file) => file.endsWith('.ts')).sort()).toEqual(expected.sort())
  })

  test('contain each module at most once, so that entry points share its state and classes', () => {
    const code = CODE.map(([, text]) => text).join('\n')
    const modules = [...code.matchAll(/^\/\/ src\/(.+)$/gm)].map(([, path]) => path)
    expect(modules.length).toBeGreaterThan(SOURCE.length / 2)
    expect(modules).toEqual([...new Set(modules)])
    expect(modules.filter((path = '') => !SOURCE.includes(path))).toEqual([])
  })

  test('contain no path of the build machine', () => {
    // The path of a URL on https, such as the console of a vendor, is not one of this machine.
    const pattern =
      /(?<!https:\/\/[\w.-]+)\/(?:home|Users|root|work|tmp|private)\/|[A-Z]:\\\\|file:\/\/\//
    const leaking = files.filter((file) => pattern.test(readFileSync(join(PACKAGE, file), 'utf8')))
    expect(leaking).toEqual([])
    expect(
      files.filter((file) => readFileSync(join(PACKAGE, file), 'utf8').includes(ROOT)),
    ).toEqual([])
  })

  test('import only published files, declared packages and Node.js', () => {
    const packages = [
      ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      // No peers, because npm would resolve their own peers in every application (docs/decisions/0002-dependencies.md).
      '@sveltejs/kit',
      '@tanstack/react-start',
    ]
    const isKnown = (file: string) =>
      files.includes(file) || packages.some((name) => `${file}/`.startsWith(`${name}/`))
    const imports = CODE.flatMap(([file, text]) =>
      [...text.matchAll(/^(?:import|export) (?:.* from )?"(.*)";|import\("(\..*?\.js)"\)/gm)].map(
        ([, target = '', lazy = target]) =>
          lazy.startsWith('.') ? join(dirname(file), lazy) : lazy,
      ),
    )
    expect(imports.length).toBeGreaterThan(100)
    expect(imports.filter((file) => !file.startsWith('node:') && !isKnown(file))).toEqual([])
  })

  test('answer the first request with twelve files, because each costs time of a cold start', () => {
    const imported = new Set(['dist/index.js', 'dist/providers/github.js'])
    for (const file of imported) {
      const text = readFileSync(join(PACKAGE, file), 'utf8')
      for (const [, target = ''] of text.matchAll(/^import (?:.* from )?"(\..*)";/gm))
        imported.add(join(dirname(file), target))
    }
    expect(imported.size, [...imported].join('\n')).toBeLessThanOrEqual(12)
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

/** The peer dependencies of each subpath. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  './adapters/drizzle': ['drizzle-orm'],
  './adapters/kysely': ['kysely'],
  './opentelemetry': ['@opentelemetry/api'],
  './react': ['react'],
  './solid': ['solid-js', 'seroval', 'seroval-plugins'],
  './svelte': ['svelte'],
  './sveltekit': ['@sveltejs/kit'],
  './vue': ['vue'],
  './webauthn': ['@simplewebauthn/browser'],
}

describe('without a framework or a database client', () => {
  const alone = subpaths().filter((each) => !(each in PEERS) && !each.endsWith('.json'))
  // One process: Node.js resolves each import by itself, and takes longer to start than to import.
  const imported = run(`
    for (const name of ${JSON.stringify(alone.map(specifier))})
      await import(name).then(
        (all) => console.log(name, Object.keys(all).join()),
        (error) => console.log(name, String(error)),
      )
  `)
  const lines = imported.output.split('\n')

  test('all can be imported together, and print nothing', () => {
    expect([imported.problem, lines.length]).toEqual(['', alone.length])
  })

  test.each([...alone.entries()])('%i: %s can be imported', (index, subpath) => {
    // A module that exports only types has no names.
    expect(lines[index]).toMatch(/^\S+(?: [\w,$]*)?$/)
    expect(lines[index]?.split(' ')[0]).toBe(specifier(subpath))
  })

  test('an internal module cannot be imported', () => {
    for (const subpath of ['./dist/core/auth.js', './auth', './session/jwt', './providers/_x'])
      expect(run(importing(subpath)).problem).toMatch(/ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })

  test('a sign-in works', () => {
    const { output, problem } = run(`
      import { issuer, browser } from 'lib-auth/testing'
      const op = await issuer()
      const { url, clientId, clientSecret } = op
      const config = {
        providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: url, clientId, clientSecret }],
        secret: 'a secret for tests, which is long enough',
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

test('every peer dependency is optional', () => {
  const { peerDependencies, peerDependenciesMeta } = manifest
  const optional = Object.keys(peerDependencies).map((name) => [name, { optional: true }])
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(optional))
})

describe('the command line', () => {
  /** Runs the program by its shebang line, as a shell does. */
  function lib(...words: string[]) {
    const program = join(PACKAGE, manifest.bin['lib-auth'] ?? '')
    return spawnSync(program, words, { cwd: FOLDER, encoding: 'utf8' })
  }

  test('runs as it was installed', () => {
    const { status, stdout, stderr } = lib('--version')
    expect([status, stdout.trim(), stderr]).toEqual([0, manifest.version, ''])
  })

  test('recognizes the published providers', () => {
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
  test('the provider can be configured, and sending a mail throws an error that names the package', () => {
    const { output, problem } = run(`
      import Nodemailer from 'lib-auth/providers/nodemailer'
      const provider = Nodemailer({ server: 'smtp://127.0.0.1:1' })
      const url = 'https://app.test/'
      const expires = new Date()
      await provider
        .sendVerificationRequest({ identifier: 'a@b.test', url, expires, theme: {}, provider: provider.options })
        .catch(({ type, message }) => console.log(type, message))
    `)
    expect(problem).toBe('')
    expect(output).toMatch(/^InvalidConfiguration .*Install it: npm install nodemailer\./)
  })
})

describe('with its peer dependency', () => {
  test.each(Object.entries(PEERS))('%s can be imported, but not without it', (subpath, peers) => {
    expect(run(importing(subpath)).problem).toContain('ERR_MODULE_NOT_FOUND')
    link(peers)
    const { output, problem } = run(importing(subpath))
    for (const name of peers) rmSync(join(FOLDER, 'node_modules', name))
    expect(problem).toBe('')
    expect(output).toMatch(/\w/)
  })
})
