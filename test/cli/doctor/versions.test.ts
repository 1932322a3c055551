/** `doctor` compares installed packages with the tested versions, and finds several copies of the library. */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const tested: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../../../etc/support.json', import.meta.url), 'utf8'),
)
const newest = (name: string) => tested[name]?.[0] ?? ''
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

test.each(Object.keys(tested).filter((name) => !['Node.js', 'Bun', 'Deno'].includes(name)))(
  'finds the package of %s',
  async (name) => {
    const { PACKAGES } = await import('../../../src/cli/doctor/versions.ts')
    const found = Object.entries(PACKAGES).find(([each]) => each === name)?.[1] ?? ''
    const lines = await aboutVersions(inModules({ [found]: newest(name) }))
    expect(lines).toEqual([expect.stringContaining(`, ${name} ${newest(name)}.`)])
  },
)

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
  test.each([
    ['of a package', 'node_modules/kit/node_modules/lib-auth'],
    ['of a package with a scope', 'node_modules/@team/kit/node_modules/lib-auth'],
    ['in the store of pnpm', 'node_modules/.pnpm/lib-auth@0.0.9_react@19/node_modules/lib-auth'],
  ])('reports one %s', async (_name, path) => {
    const [warning] = await aboutVersions({ 'node_modules/lib-auth': '0.1.0', [path]: '0.0.9' })
    expect(warning).toBe(
      `! versions: lib-auth is installed 2 times: 0.1.0 in node_modules/lib-auth, 0.0.9 in ${path}. instanceof does not recognize the errors of another copy. → Run: npm dedupe, or install the same version everywhere.`,
    )
  })

  test('reports nothing about one', async () => {
    const lines = await aboutVersions({ 'node_modules/lib-auth': '0.1.0' })
    expect(lines).toEqual([expect.stringMatching(RUNTIME)])
  })

  test('skips what cannot be read as a package', async () => {
    const lines = await aboutVersions({
      'node_modules/next/node_modules/lib-auth/node_modules/lib-auth': '1',
      'node_modules/next': newest('Next.js'),
    })
    expect(lines).toEqual([expect.stringContaining('Next.js')])
  })
})
