/** What `lib-auth doctor` reads from the package.json of an application. */
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, GOOD_SECRET, examineFolder } from './run-doctor.ts'

afterAll(cleanUp)

const OP = `{ id: 'op', name: 'OP', type: 'oauth', clientId: 'a', clientSecret: 'b',
  authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`

const MODULE = `import Lib from 'lib-auth/next'\nexport const { auth } = Lib({ basePath: '/auth', providers: [${OP}] })\n`

async function check(
  manifest: string | undefined,
  env: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
) {
  const json = manifest !== undefined && { 'package.json': manifest }
  const files = { 'auth.mjs': MODULE, ...json, ...others }
  const all = { AUTH_SECRET: GOOD_SECRET, ...env }
  return examineFolder(applicationWith(files), ['--config', 'auth.mjs'], all)
}

describe('the callback URL in development', () => {
  test.each([
    [3000, 'without a package.json', undefined],
    [3000, 'with a package.json of another form', { dependencies: ['astro'], scripts: 'vite' }],
    [3000, 'of Next.js', { dependencies: { next: '16.0.0' } }],
    [3001, 'of Next.js on another port', { scripts: { dev: 'next dev -p 3001' } }],
    [5173, 'of SvelteKit', { devDependencies: { '@sveltejs/kit': '^2.0.0' } }],
    [5173, 'of React Router', { devDependencies: { '@react-router/dev': '^8.0.0' } }],
    [4321, 'of Astro', { dependencies: { astro: '^5.0.0' } }],
    [5173, 'of Vite', { scripts: { dev: 'vite dev' }, devDependencies: { vite: '^8.0.0' } }],
    [3000, 'of Vite on another port', { scripts: { dev: 'vite dev --port 3000' } }],
    [3000, 'of a server that is tested with Vite', { devDependencies: { vite: '^8.0.0' } }],
  ])('has the port %i %s', async (port, _of, manifest) => {
    const { about } = await check(JSON.stringify(manifest), { NODE_ENV: 'development' })
    expect(about('provider op')).toEqual([
      `✓ provider op: callback URL to register: http://localhost:${port}/auth/callback/op`,
    ])
  })

  test('has the port of the variable PORT where the server reads it', async () => {
    const env = { NODE_ENV: 'development', PORT: '3100' }
    const uriOf = async (manifest: object) =>
      (await check(JSON.stringify(manifest), env)).about('provider op')[0]
    expect(await uriOf({})).toContain('http://localhost:3100/')
    expect(await uriOf({ devDependencies: { '@sveltejs/kit': '^2.0.0' } })).toContain(':5173/')
  })
})

describe('SvelteKit with the adapter for Node', () => {
  const manifest = (kit: string) =>
    JSON.stringify({
      dependencies: { 'lib-auth': '*' },
      devDependencies: { '@sveltejs/kit': kit, '@sveltejs/adapter-node': '*' },
    })
  const SITE = { NODE_ENV: 'production', AUTH_URL: 'https://app.test' }
  const LOCAL = { NODE_ENV: 'production', AUTH_URL: 'http://localhost:3000' }

  test.each([
    [
      'another origin than that of the site',
      '^2.70.4',
      { ...SITE, ORIGIN: 'https://other.test' },
      [
        '✗ sveltekit: ORIGIN is https://other.test, but the origin of the site is https://app.test: SvelteKit rejects forms with 403. → Set ORIGIN to https://app.test.',
      ],
    ],
    [
      'no origin on http',
      '^2.70.4',
      LOCAL,
      [
        '✗ sveltekit: ORIGIN is not set, so SvelteKit assumes https and rejects forms with 403. → Set ORIGIN to http://localhost:3000.',
      ],
    ],
    [
      'the origin',
      '2.70.4',
      { ...SITE, ORIGIN: 'https://app.test' },
      ['✓ sveltekit: ORIGIN is https://app.test.'],
    ],
    ['no origin on https, which it assumes', '^2.70.4', SITE, []],
    ['the scheme in a header', '^2.70.4', { ...LOCAL, PROTOCOL_HEADER: 'x-forwarded-proto' }, []],
    ['an origin that is set when it is built', '^3.2.0', LOCAL, []],
    ['no origin in development', '^2.70.4', { ...LOCAL, NODE_ENV: 'development' }, []],
  ])('has %s', async (_what, kit, env, expected) => {
    expect((await check(manifest(kit), env)).about('sveltekit')).toEqual(expected)
  })
})

describe('SvelteKit where package.json does not name lib-auth', () => {
  test.each([
    ['warns of a second copy', {}, 1],
    [
      'warns if another package is bundled',
      { 'vite.config.js': "export default { ssr: { noExternal: ['bits-ui'] } }" },
      1,
    ],
    [
      'accepts that Vite bundles it',
      { 'vite.config.ts': "export default { ssr: { noExternal: ['@my/auth', 'lib-auth'] } }" },
      0,
    ],
    [
      'accepts that Vite bundles all',
      { 'vite.config.mjs': 'export default { ssr: { noExternal: true } }' },
      0,
    ],
  ])('%s', async (_what, files, count) => {
    const manifest = JSON.stringify({ devDependencies: { '@sveltejs/kit': '^2.70.4' } })
    const { about } = await check(manifest, {}, files)
    expect(about('sveltekit')).toEqual(
      Array(count).fill(
        "! sveltekit: package.json does not name lib-auth, so a build can contain a second copy of @sveltejs/kit, with which protect and form actions respond with 500. → Write ssr: { noExternal: ['lib-auth'] } in vite.config, with the name of the package that imports lib-auth, if there is one.",
      ),
    )
  })
})
