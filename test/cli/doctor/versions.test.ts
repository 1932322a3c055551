/** `doctor` compares installed packages with the tested versions, and finds several copies of the library. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const supported: Readonly<
  Record<string, { readonly package?: string; readonly versions: readonly string[] }>
> = JSON.parse(readFileSync(new URL('../../../etc/support.json', import.meta.url), 'utf8'))
const newest = (name: string) => supported[name]?.versions[0] ?? ''
const major = (name: string) => Number.parseInt(newest(name), 10)

/** What doctor prints about an application with these packages, at their paths in it. */
async function aboutVersions(packages: Readonly<Record<string, string>>, folder = '.') {
  const manifests = Object.entries(packages).map(([path, version]) => [
    `${path}/package.json`,
    JSON.stringify({ version }),
  ])
  const module = { [`${folder}/auth.mjs`]: 'export const config = { providers: [] }' }
  const root = applicationWith({ ...Object.fromEntries(manifests), ...module }, [])
  return (await examineFolder(`${root}/${folder}`)).about('versions')
}

const inModules = (packages: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, version]),
  )

/** Node.js 20.19 and later releases of a tested major. */
const RUNTIME = /^✓ versions: Node\.js \d+\.\d+\.\d+(?: \(newer than tested\))?/

test('names the tested versions, and later and earlier minors of their majors', async () => {
  const [line, ...others] = await aboutVersions(
    inModules({
      next: newest('Next.js'),
      express: '4.999.0',
      fastify: `${major('Fastify')}.999.0`,
      vue: '3.0.1',
      '@sveltejs/kit': '2.99.0',
    }),
  )
  expect(others).toEqual([])
  expect(line).toMatch(RUNTIME)
  expect(line).toMatch(
    new RegExp(
      `, Next\\.js ${newest('Next.js')}, Express 4\\.999\\.0, Fastify ${major('Fastify')}\\.999\\.0 \\(newer than tested\\), SvelteKit 2\\.99\\.0, Vue 3\\.0\\.1 \\(older than tested\\)\\.$`,
    ),
  )
})

const packages = Object.entries(supported).flatMap(([name, { package: id }]) =>
  id === undefined ? [] : [[name, id] as const],
)

test('every supported name but those of runtimes is a package', () => {
  expect(Object.keys(supported)).toEqual([
    'Node.js',
    'Bun',
    'Deno',
    ...packages.map(([name]) => name),
  ])
})

test.each(packages)('finds the package of %s, %s', async (name, id) => {
  const lines = await aboutVersions(inModules({ [id]: newest(name) }))
  expect(lines).toEqual([expect.stringContaining(`, ${name} ${newest(name)}.`)])
})

describe('warns about a major that was not tested', () => {
  test.each([
    ['next', '13.5.1', 'Next.js 13.5.1 is older than tested: '],
    ['next', `${major('Next.js') + 1}.0.0-canary.3`, 'is newer than tested: '],
    ['fastify', '4.29.1', 'Fastify 4.29.1 is older than tested: '],
    ['react', '17.0.2', 'React 17.0.2 is older than tested: '],
  ])('%s %s', async (name, version, text) => {
    const [warning, ok, ...others] = await aboutVersions(inModules({ [name]: version }))
    expect(warning).toMatch(/^! versions: /)
    expect(warning).toContain(text)
    expect(warning).toMatch(/ → Install a tested version, or test sign-in and sign-out yourself\.$/)
    expect(ok).toMatch(RUNTIME)
    expect(others).toEqual([])
  })
})

test('reads the packages of a workspace above the application', async () => {
  const lines = await aboutVersions(inModules({ hono: newest('Hono') }), 'apps/site')
  expect(lines).toEqual([expect.stringContaining(`, Hono ${newest('Hono')}.`)])
})

describe('copies of the library', () => {
  const LISTED = { dependencies: { 'lib-auth': '*' } }
  const copy = (version?: string) => ({ name: 'lib-auth', version })

  /** What doctor prints in the folder of an application, with these manifests in and above it. */
  async function aboutCopies(manifests: Readonly<Record<string, object>>, folder = '.') {
    const files = Object.entries(manifests).map(([path, manifest]) => [
      `${path}/package.json`,
      JSON.stringify(manifest),
    ])
    const module = { [`${folder}/auth.mjs`]: 'export const config = { providers: [] }' }
    const root = applicationWith({ ...Object.fromEntries(files), ...module }, [])
    return (await examineFolder(`${root}/${folder}`)).about('versions')
  }

  test.each([
    ['of a package', 'kit', 'dependencies'],
    ['of a package with a scope', '@team/kit', 'dependencies'],
    ['of a package that only development needs', 'kit', 'devDependencies'],
  ])('reports one %s', async (_name, kit, member) => {
    const path = `node_modules/${kit}/node_modules/lib-auth`
    const [warning] = await aboutCopies({
      '.': { ...LISTED, [member]: { 'lib-auth': '*', [kit]: '*' } },
      'node_modules/lib-auth': copy('0.1.0'),
      [`node_modules/${kit}`]: { name: kit, ...LISTED },
      [path]: copy('0.0.9'),
    })
    expect(warning).toBe(
      `! versions: lib-auth is installed 2 times: 0.1.0 in node_modules/lib-auth, 0.0.9 in ${path}. instanceof does not recognize the errors of another copy. → Install the same version everywhere, then run: npm dedupe, or pnpm dedupe.`,
    )
  })

  test('reports one of a package of a package, and one whose version is missing', async () => {
    const [warning] = await aboutCopies({
      '.': { dependencies: { kit: '*' } },
      'node_modules/lib-auth': copy('0.1.0'),
      'node_modules/kit': { dependencies: { core: '*' } },
      'node_modules/core': { peerDependencies: { 'lib-auth': '*' } },
      'node_modules/core/node_modules/lib-auth': copy(),
    })
    expect(warning).toContain('unknown version in node_modules/core/node_modules/lib-auth. ')
  })

  /** As pnpm installs them: links to folders of a store, in which a package has its dependencies as neighbors. */
  function storeOfPnpm(links: Readonly<Record<string, string>>) {
    const store = 'node_modules/.pnpm'
    const manifests = {
      'apps/site/package.json': { dependencies: { 'lib-auth': '0.1.0', kit: '*' } },
      [`${store}/lib-auth@0.1.0/node_modules/lib-auth/package.json`]: copy('0.1.0'),
      [`${store}/lib-auth@0.0.9/node_modules/lib-auth/package.json`]: copy('0.0.9'),
      [`${store}/kit@1/node_modules/kit/package.json`]: { name: 'kit', ...LISTED },
    }
    const files = Object.entries(manifests).map(([path, value]) => [path, JSON.stringify(value)])
    const module = { 'apps/site/auth.mjs': 'export const config = { providers: [] }' }
    const root = applicationWith({ ...Object.fromEntries(files), ...module }, [])
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      symlinkSync(join(root, store, target), join(root, path))
    }
    return join(root, 'apps/site')
  }
  const LINKS = {
    'apps/site/node_modules/lib-auth': 'lib-auth@0.1.0/node_modules/lib-auth',
    'apps/site/node_modules/kit': 'kit@1/node_modules/kit',
    'apps/other/node_modules/lib-auth': 'lib-auth@0.0.9/node_modules/lib-auth',
  }
  const KIT = 'node_modules/.pnpm/kit@1/node_modules/lib-auth'

  test('reports one in the store of pnpm that a package of the application imports', async () => {
    const folder = storeOfPnpm({ ...LINKS, [KIT]: 'lib-auth@0.0.9/node_modules/lib-auth' })
    const [warning] = (await examineFolder(folder)).about('versions')
    expect(warning).toContain(
      'lib-auth is installed 2 times: 0.1.0 in ../../node_modules/.pnpm/lib-auth@0.1.0/node_modules/lib-auth, 0.0.9 in ../../node_modules/.pnpm/lib-auth@0.0.9/node_modules/lib-auth. ',
    )
  })

  test('reports nothing about one in the store of pnpm that only another application imports', async () => {
    const folder = storeOfPnpm({ ...LINKS, [KIT]: 'lib-auth@0.1.0/node_modules/lib-auth' })
    const lines = (await examineFolder(folder)).about('versions')
    expect(lines).toEqual([expect.stringMatching(RUNTIME)])
  })

  test('reports nothing about one of another application in the workspace', async () => {
    const root = {
      'node_modules/lib-auth': copy('0.1.0'),
      'node_modules/other': { name: 'other', ...LISTED },
      'node_modules/other/node_modules/lib-auth': copy('0.0.9'),
    }
    const lines = await aboutCopies({ ...root, 'apps/site': LISTED }, 'apps/site')
    expect(lines).toEqual([expect.stringMatching(RUNTIME)])
  })

  test.each([
    ['one', {}],
    ['packages that import each other', { 'node_modules/kit': { dependencies: { kit: '*' } } }],
    ['lists that are not objects', { 'node_modules/kit': { dependencies: ['lib-auth'] } }],
  ])('reports nothing about %s', async (_name, further) => {
    const lines = await aboutCopies({
      '.': { dependencies: { 'lib-auth': '*', kit: '*' } },
      'node_modules/lib-auth': copy('0.1.0'),
      ...further,
    })
    expect(lines).toEqual([expect.stringMatching(RUNTIME)])
  })

  test('reports nothing about an empty folder, and a package.json that is not JSON', async () => {
    const kit = { dependencies: { kit: '*', broken: '*' } }
    const folder = applicationWith(
      {
        'package.json': JSON.stringify(kit),
        'auth.mjs': 'export const config = { providers: [] }',
        'node_modules/lib-auth/package.json': JSON.stringify(copy('0.1.0')),
        'node_modules/kit/package.json': JSON.stringify(LISTED),
        'node_modules/kit/node_modules/lib-auth/dist/index.js': '',
        'node_modules/broken/package.json': '{ "name": "broken", ',
        'node_modules/broken/node_modules/lib-auth/package.json': '{ "name": ',
      },
      [],
    )
    const lines = (await examineFolder(folder)).about('versions')
    expect(lines).toEqual([expect.stringMatching(RUNTIME)])
  })
})
