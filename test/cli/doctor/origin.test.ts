/** `doctor` reports the origin, the base path and the cookies, and where each is configured. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  applicationWith,
  callDoctor,
  cleanUp,
  examineFolder,
  ENV,
  examine,
  GOOD_SECRET,
  serve,
} from './run-doctor.ts'
import { site } from './site.ts'

afterAll(cleanUp)

describe('the origin', () => {
  const ORIGINS: [string, string, Record<string, string>, string][] = [
    [
      'from the configuration',
      `origin: 'https://own.test'`,
      {},
      '✓ origin: https://own.test (origin in the configuration).',
    ],
    [
      'that is not a URL',
      '',
      { AUTH_URL: 'app.test' },
      '✗ configuration: origin is not an origin (got "app.test"). → Set AUTH_URL or origin to scheme and host: https://example.com.',
    ],
    [
      'on plain http',
      '',
      { AUTH_URL: 'http://app.test' },
      '! origin: AUTH_URL is http://app.test: without https, sessions can be stolen in transit. → Use https://app.test.',
    ],
    [
      'on localhost, in production',
      '',
      { AUTH_URL: 'http://localhost:3000', NODE_ENV: 'production' },
      '! origin: AUTH_URL is http://localhost:3000, which only this machine can reach. → Set AUTH_URL',
    ],
    [
      'from the request, in development',
      '',
      {},
      '✓ origin: taken from each request (Host, or X-Forwarded-Host behind a proxy), because NODE_ENV is development. Before you deploy, set AUTH_URL to the public URL; Vercel and Cloudflare Pages need no variable.',
    ],
    [
      'without a trusted host, in production',
      '',
      { NODE_ENV: 'production' },
      '✗ origin: no host is trusted: requests fail with UntrustedHost, except on localhost. → Set AUTH_URL',
    ],
    [
      'without a trusted host, by AUTH_TRUST_HOST',
      '',
      { AUTH_TRUST_HOST: 'false' },
      '✗ origin: no host is trusted: requests fail with UntrustedHost, except on localhost.',
    ],
    [
      'from a request on a platform',
      '',
      { VERCEL: '1' },
      '✓ origin: taken from each request (Host, or X-Forwarded-Host behind a proxy): VERCEL is set.',
    ],
    [
      'from the request, by trustHost',
      'trustHost: true',
      {},
      '✓ origin: taken from each request (Host, or X-Forwarded-Host behind a proxy): trustHost is set.',
    ],
    [
      'from the request, by trustedHosts',
      `trustedHosts: ['*.app.test']`,
      { NODE_ENV: 'production' },
      '✓ origin: taken from each request (Host, or X-Forwarded-Host behind a proxy), if the host is one of *.app.test.',
    ],
  ]
  test.concurrent.each(ORIGINS)('reports an origin %s', async (_name, options, env, expected) => {
    const { text } = await examine(`{ providers: [password], ${options} }`, {
      AUTH_SECRET: GOOD_SECRET,
      ...env,
    })
    expect(text.replaceAll('\n    ', ' → ')).toContain(expected)
  })
})

test.each([
  ['http://localhost:9', '✓ origin: taken from each request'],
  ['https://app.invalid', '! origin: taken from each request'],
])(
  'an origin of the request is reported in development for --url %s: %s',
  async (url, expected) => {
    const folder = applicationWith({
      'auth.mjs': `import Lib from 'lib-auth/node'
      export const { handler } = Lib({ providers: [] })`,
    })
    const { about } = await examineFolder(folder, ['--url', url], { AUTH_SECRET: GOOD_SECRET })
    expect(about('origin')).toEqual([expect.stringContaining(expected)])
  },
)

describe('the base path', () => {
  test('is the path of AUTH_URL', async () => {
    const { about } = await examine('{ providers: [password] }', {
      ...ENV,
      AUTH_URL: 'https://app.test/sign/',
    })
    expect(about('base path')).toEqual(['✓ base path: /sign (AUTH_URL).'])
  })

  test('is the path of AUTH_URL in a .env file, even if it is the default path', async () => {
    const folder = applicationWith({
      'auth.mjs': `import Lib from 'lib-auth/next'
        export const { handlers } = Lib({ providers: [] })`,
      '.env.local': 'AUTH_URL=https://app.test/auth',
    })
    const { about } = await examineFolder(folder, [], { AUTH_SECRET: GOOD_SECRET })
    expect(about('base path')).toEqual(['✓ base path: /auth (AUTH_URL in .env.local).'])
  })

  test('is that of the configuration, with a warning if AUTH_URL has another', async () => {
    const env = { ...ENV, AUTH_URL: 'https://app.test/sign' }
    const { about } = await examine(`{ providers: [password], basePath: '/own' }`, env)
    expect(about('base path')).toEqual(['✓ base path: /own (basePath in the configuration).'])
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: basePath is set, so the path of AUTH_URL is ignored. → Remove one of them.',
    ])
  })

  test('is not reported if AUTH_URL is not a URL', async () => {
    const { about } = await examine('{ providers: [password] }', { ...ENV, AUTH_URL: 'app.test' })
    expect(about('base path')).toEqual([])
  })

  test('is reported if no route of Next.js serves it', async () => {
    const folder = applicationWith({
      'auth.mjs': `import Lib from 'lib-auth/next'
        export const { handlers } = Lib({ providers: [] })`,
      'app/api/other/[...auth]/route.ts': '',
      'app/api/auth/[...auth]/page.tsx': '',
    })
    expect((await examineFolder(folder, [], ENV)).about('base path')).toEqual([
      '✓ base path: /api/auth (default).',
      '! base path: no route serves /api/auth: app/api/auth/[...auth]/route.ts is missing. → Create it: export const { GET, POST } = handlers',
    ])
  })

  describe('in an application on Next.js', () => {
    const AUTH = `import Lib from 'lib-auth/next'
      export const { handlers } = Lib({ providers: [] })`
    const write = 'Write: export const { GET, POST } = handlers'
    const route = 'app/api/auth/[...auth]/route.ts'
    const noGet = `✗ base path: ${route} does not export GET and POST, so Next.js responds with 405. → ${write}`

    test.each<[string, string, string[]]>([
      [
        'app/api/auth/[auth]/route.ts',
        'export const { GET, POST } = handlers',
        [
          `✗ base path: no route serves /api/auth: app/api/auth/[auth]/route.ts receives one segment only. → Rename it to ${route}.`,
        ],
      ],
      [
        'src/app/(group)/api/auth/[nextauth]/route.js',
        'export const { GET, POST } = handlers',
        [
          '✗ base path: no route serves /api/auth: src/app/(group)/api/auth/[nextauth]/route.js receives one segment only. → Rename it to src/app/(group)/api/auth/[...nextauth]/route.js.',
        ],
      ],
      [route, 'export { handlers }', [noGet]],
      [route, `export { handlers } from '../../../../auth'`, [noGet]],
      [route, `export { handlers as default } from '../../../../auth' // GET, POST`, [noGet]],
      [route, 'export default handlers', [noGet]],
      [
        route,
        'export const { GET } = handlers',
        [`✗ base path: ${route} does not export POST, so Next.js responds with 405. → ${write}`],
      ],
      [
        route,
        'export { handlers as GET, handlers as POST }',
        [
          `✗ base path: ${route} exports the object handlers as a method, which is a function. → ${write}`,
        ],
      ],
      [route, 'export const { GET, POST } = handlers', []],
      [route, 'export const GET = handlers.GET\nexport const POST = handlers.POST', []],
      [route, 'export async function GET() {}\nexport function POST() {}', []],
      [route, 'const { GET, POST } = handlers\nexport { GET, POST }', []],
      [route, `export { GET, POST } from '../../../../auth'`, []],
      [route, `export * from '../../../../auth'`, []],
    ])('reports %s with %j', async (file, code, expected) => {
      const { about } = await examineFolder(
        applicationWith({ 'auth.mjs': AUTH, [file]: code }),
        [],
        ENV,
      )
      expect(about('base path').slice(1)).toEqual(expected)
    })
  })
})

describe('cookies', () => {
  const COOKIES: [string, string, string, string][] = [
    [
      'on https',
      '',
      'https://app.test',
      '✓ cookies: session __Host-lib.session-token, CSRF __Host-lib.csrf-token.',
    ],
    [
      'on http',
      '',
      'http://localhost:3000',
      '✓ cookies: session lib.session-token, CSRF lib.csrf-token.',
    ],
    [
      'with a domain',
      `cookies: { sessionToken: { options: { domain: 'app.test' } } }`,
      'https://app.test',
      '✓ cookies: session __Secure-lib.session-token',
    ],
    [
      'without Secure',
      'useSecureCookies: false',
      'https://app.test',
      '✗ cookies: useSecureCookies is false: browsers also send the session over http, where it can be stolen in transit. → Remove useSecureCookies',
    ],
    [
      'that browsers reject on http',
      'useSecureCookies: true',
      'http://localhost:3000',
      '✗ cookies: useSecureCookies is true: browsers reject Secure cookies of http://localhost:3000, so every sign-in fails. → Remove useSecureCookies',
    ],
    [
      'with a name that browsers reject',
      `cookies: { sessionToken: { name: '__Host-x', options: { path: '/x' } } }`,
      'https://app.test',
      '✗ configuration: The cookie __Host-x needs options.path: "/", or another name.',
    ],
    [
      'of the local server in development without AUTH_URL',
      '',
      '',
      '✓ cookies: session lib.session-token, CSRF lib.csrf-token.',
    ],
  ]
  test.concurrent.each(COOKIES)(
    'reports cookies %s',
    async (_name, options, AUTH_URL, expected) => {
      const { text } = await examine(`{ providers: [password], ${options} }`, { ...ENV, AUTH_URL })
      expect(text.replaceAll('\n    ', ' → ')).toContain(expected)
    },
  )
})

describe('AUTH_URL while the site runs at another port', () => {
  const application = (port: string) => ({
    'package.json': `{ "scripts": { "dev": "next dev --port ${port}" } }`,
    'auth.mjs': `import Lib from 'lib-auth/next'
      export const { handlers } = Lib({ providers: [{ id: 'password', name: 'Password', type: 'credentials', authorize: () => null }] })`,
  })
  const start = async (origin: string) =>
    new URL((await serve(site({ config: { origin } }))).replace('127.0.0.1', 'localhost'))

  test('is reported with the port', async () => {
    const AUTH_URL = 'http://localhost:1'
    const { origin, port } = await start(AUTH_URL)
    for (const of of [port, String(Number(port) - 1)]) {
      const env = { AUTH_SECRET: GOOD_SECRET, AUTH_URL }
      const { about, code } = await callDoctor(applicationWith(application(of)), [], env)
      expect(about('origin').slice(1)).toEqual([
        `✗ origin: the site runs at ${origin}, but AUTH_URL is ${AUTH_URL}: every sign-in leads there. → Set AUTH_URL to ${origin}, or remove it: on localhost it is not needed.`,
      ])
      expect(code).toBe(1)
    }
  })

  test('is not reported of another site at that port, or without one', async () => {
    const { port } = await start('http://localhost:2')
    for (const of of [port, '1'])
      expect(
        (
          await callDoctor(applicationWith(application(of)), [], {
            AUTH_SECRET: GOOD_SECRET,
            AUTH_URL: 'http://localhost:9',
          })
        ).about('origin'),
      ).toEqual(['✓ origin: http://localhost:9 (AUTH_URL).'])
  })
})
