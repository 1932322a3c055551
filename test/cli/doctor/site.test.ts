/** `doctor --url` checks a running site. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../tools/nginx.mjs'
import type { AuthConfig } from '../../../src/index.ts'
import { findNginx } from '../../services.ts'
import { applicationWith, cleanUp, callDoctor, GOOD_SECRET, portOf, serve } from './run-doctor.ts'
import { checkSite, site } from './site.ts'
import type { Site } from './site.ts'

afterAll(cleanUp)

test('accepts a site without problems', async () => {
  const { origin, site: lines, text, code } = await checkSite({})
  expect(lines).toEqual([
    `✓ site: ${origin} answers below /api/auth.`,
    '✓ site: cookie lib.csrf-token arrives with all attributes.',
  ])
  expect(text).not.toContain('clock')
  // The folder does not belong to the site.
  expect(text).not.toMatch(/secret|environment:/)
  expect([code, text.endsWith('\n\nNo problems found.\n')]).toEqual([0, true])
})

test.each([
  ['/auth', '/auth', ''],
  ['/sign/in', '/sign/in', '/sign/in/'],
])('finds the routes below %s', async (_name, basePath, path) => {
  const { site: lines, code } = await checkSite({ config: { basePath } }, path)
  expect(lines[0]).toContain(`answers below ${basePath}.`)
  expect(code).toBe(0)
})

test('requests the routes below the path of AUTH_URL if --url has no path', async () => {
  const origin = await serve(site({ config: { basePath: '/sign/in' } }))
  const env = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: `${origin}/sign/in` }
  const { about } = await callDoctor(applicationWith({ '.env': '' }), ['--url', origin], env)
  expect(about('site')[0]).toBe(`✓ site: ${origin} answers below /sign/in.`)
})

test('names the route file of the requested base path if it answers 404', async () => {
  const { about } = await checkSite({}, '/sign/in')
  expect(about('site')).toEqual([
    expect.stringContaining(
      ' → With Next.js, create app/sign/in/[...auth]/route.ts with export const { GET, POST } = handlers.',
    ),
  ])
})

test('reports an unreachable site', async () => {
  const { about, code } = await callDoctor(applicationWith({}), ['--url', 'http://127.0.0.1:9'])
  expect(about('site')).toHaveLength(1)
  expect(about('site')[0]).toMatch(
    /^✗ site: http:\/\/127\.0\.0\.1:9\/\S+ is unreachable: fetch failed.*→ Check that the site is running.*5 seconds\.$/,
  )
  expect(code).toBe(1)
})

describe('a site that is not on a loopback address', () => {
  const checkByAddress = async (config: Partial<AuthConfig>) => {
    const origin = (await serve(site({ config }))).replace('127.0.0.1', '0.0.0.0')
    return (await callDoctor(applicationWith({}), ['--url', origin])).about('site')
  }

  test('is reported if it trusts a forged X-Forwarded-Host header', async () => {
    const lines = await checkByAddress({})
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^✗ site: it trusts an X-Forwarded-Host header of the client \(host header injection\): .*→ Set AUTH_URL to its public URL on the server\.$/,
      ),
    )
  })

  test('is reported if it is not on https', async () => {
    const lines = await checkByAddress({ trustHost: false, trustedHosts: ['0.0.0.0:*'] })
    expect(lines).toEqual([
      expect.stringMatching(/^✓ site: .* answers below/),
      expect.stringMatching(
        /^! site: http:\/\/0\.0\.0\.0:\d+ is not https: .*→ Serve it over https/,
      ),
    ])
  })
})

describe('compared with the configuration of the application', () => {
  const CONFIG = (options: string) => `export const config = {
    providers: [{ id: 'password', name: 'Password', type: 'credentials', authorize: () => null }],
    basePath: '/api/auth', trustHost: true, ${options} }`
  const compare = async (options: string, path = '', env = {}) => {
    const origin = await serve(site({}))
    const folder = applicationWith({ 'auth.mjs': CONFIG(options) })
    const variables = { AUTH_SECRET: GOOD_SECRET, ...env }
    return { origin, ...(await callDoctor(folder, ['--url', origin + path], variables)) }
  }

  test('accepts a site with the same configuration', async () => {
    const { about, code } = await compare('')
    expect(about('site').map((line) => line[0])).toEqual(['✓', '✓'])
    expect(code).toBe(0)
  })

  const OP = `
      providers: [{ id: 'op', name: 'OP', type: 'oauth', clientId: 'a', clientSecret: 'b',
        authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }]`

  test.each([
    ['', '/api/auth'],
    ['/sign/', '/sign'],
  ])('prints callback URLs below --url with the path "%s"', async (path, basePath) => {
    const { about, origin } = await compare(OP, path)
    expect(about('provider op')).toEqual([
      `✓ provider op: callback URL to register: ${origin}${basePath}/callback/op`,
    ])
  })

  test('prints the names of the cookies that a site on http sets, also for production', async () => {
    const { about } = await compare('', '', { NODE_ENV: 'production' })
    expect(about('cookies')).toEqual(['✓ cookies: session lib.session-token, CSRF lib.csrf-token.'])
    expect(about('site')[1]).toBe('✓ site: cookie lib.csrf-token arrives with all attributes.')
  })
})

describe.skipIf(!(await findNginx()))('on https', () => {
  const secured = async (options: Site) => {
    const folder = mkdtempSync(join(tmpdir(), 'lib-auth-https-'))
    const files = await makeCertificate(folder)
    const [key, cert] = [readFileSync(files.key), readFileSync(files.certificate)]
    rmSync(folder, { recursive: true })
    const server = createServer({ key, cert }, site(options))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `https://127.0.0.1:${portOf(server.address())}`
    try {
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
      return { origin, ...(await callDoctor(applicationWith({}), ['--url', origin], env)) }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test('accepts a site that uses https', async () => {
    const { about } = await secured({ protocol: 'https' })
    expect(about('site')[1]).toBe(
      '✓ site: cookie __Host-lib.csrf-token arrives with all attributes.',
    )
  })

  test('reports a site that assumes http', async () => {
    const { about, origin } = await secured({ protocol: 'http' })
    expect(about('site').slice(1)).toEqual([
      `✗ site: asked as ${origin}, it uses the origin ${origin.replace('https', 'http')} in callback URLs. → Set AUTH_URL=${origin} on the server, or have the proxy in front of it send X-Forwarded-Proto: https.`,
      `✗ site: its cookies are not Secure on https: the site assumes http. → Set AUTH_URL=${origin} on the server, or have the proxy in front of it send X-Forwarded-Proto: https.`,
    ])
  })
})

const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'cache-control': 'no-store' } })

const withHeader = (answer: Response, name: string, value: string) => {
  answer.headers.set(name, value)
  return answer
}

const SITES: [string, Site, readonly string[]][] = [
  [
    'a site that uses another origin',
    { config: { origin: 'https://app.test' } },
    [
      '✗ site: asked as <origin>, it uses the origin https://app.test in callback URLs. → Set AUTH_URL=<origin> on the server, or have the proxy in front of it send X-Forwarded-Host: 127.0.0.1:',
    ],
  ],
  [
    'a site whose proxy drops the port of the host',
    { config: { origin: 'http://127.0.0.1' } },
    [
      'asked as <origin>, it uses the origin http://127.0.0.1 in callback URLs.',
      ' send X-Forwarded-Host: 127.0.0.1:',
    ],
  ],
  [
    'a site that does not trust the host',
    { config: { trustHost: false } },
    [
      '✗ site: <origin>/api/auth/providers responds with status 400. → It rejects the host: set AUTH_URL=<origin> on the server.',
    ],
  ],
  [
    'a site without a secret',
    { config: { secret: [] } },
    ['✗ site: <origin>/api/auth/providers responds with status 500. → See the log of the server.'],
  ],
  [
    'a site without routes',
    { change: (_path, response) => (response.writeHead(404).end(), false) },
    ['✗ site: <origin>/api/auth/providers responds with status 404. → With Next.js, create'],
  ],
  [
    'a site with a protected path',
    { change: (_path, response) => (response.writeHead(401).end(), false) },
    [
      '✗ site: <origin>/api/auth/providers responds with status 401. → A proxy or middleware protects it: exclude /api/auth/providers',
    ],
  ],
  [
    'a site that redirects to another origin',
    {
      change: (_path, response) => (
        response.writeHead(308, { location: 'https://www.app.test/x?y' }).end(),
        false
      ),
    },
    [
      '✗ site: <origin>/api/auth/providers redirects to https://www.app.test/x. → If that is the site, check it: --url https://www.app.test',
    ],
  ],
  [
    'a site that redirects to its sign-in page',
    {
      change: (path, response, answer) =>
        path === '/session'
          ? (response.writeHead(307, { location: '/login?from=x' }).end(), false)
          : answer,
    },
    [
      '✗ site: <origin>/api/auth/session redirects to <origin>/login. → If that is the site, check it: --url <origin>. Otherwise exclude /api/auth/session from the redirect',
    ],
  ],
  [
    'a site that returns HTML',
    { change: (_path, response) => (response.writeHead(200).end('<html>'), false) },
    ['✗ site: <origin>/api/auth/providers does not return JSON.'],
  ],
  [
    'a site that returns other JSON',
    { change: () => json({ ok: true }) },
    ['✗ site: <origin>/api/auth/providers lists no providers, or another program answers.'],
  ],
  [
    'a site whose responses may be cached',
    {
      change: (_path, _response, answer) =>
        withHeader(answer, 'cache-control', 'public, max-age=60'),
    },
    [
      '✗ site: <origin>/api/auth/csrf may be cached (public, max-age=60)',
      '✗ site: <origin>/api/auth/session may be cached',
    ],
  ],
  [
    'a site whose responses come from a cache',
    {
      change: (path, _response, answer) =>
        withHeader(
          answer,
          path === '/csrf' ? 'age' : 'x-cache',
          path === '/csrf' ? '3' : 'HIT from cdn',
        ),
    },
    [
      '✗ site: <origin>/api/auth/csrf comes from a cache (private, no-store), so users may receive responses of other users.',
      '✗ site: <origin>/api/auth/session comes from a cache',
    ],
  ],
  [
    'a site with a session for every visitor',
    {
      change: (path, _response, answer) =>
        path === '/session' ? json({ user: { name: 'Ada' } }) : answer,
    },
    ['✗ site: <origin>/api/auth/session returns a session to a visitor without cookies.'],
  ],
  [
    'a site whose cookies are removed',
    { change: (path, _response, answer) => (path === '/csrf' ? json({ csrfToken: 'x' }) : answer) },
    [
      '✗ site: <origin>/api/auth/csrf sets no cookie, so every form is rejected. → Have the proxy in front of the site leave Set-Cookie unchanged.',
    ],
  ],
  [
    'a site whose cookies are changed',
    {
      change: (_path, _response, answer) =>
        withHeader(answer, 'set-cookie', 'lib.csrf-token=hunter2; Path=/; SameSite=None'),
    },
    ['✗ site: its cookies are not HttpOnly, or are sent with cross-site requests.'],
  ],
  [
    'a site with a wrong clock',
    {
      change: (_path, response, answer) => (
        response.setHeader('date', 'Tue, 01 Jan 2019 00:00:00 GMT'),
        answer
      ),
    },
    ['✗ clock: this machine is '],
  ],
]

test.concurrent.each(SITES)('reports %s', async (_name, options, expected) => {
  const { origin, text } = await checkSite(options)
  const lines = text.replaceAll('\n    ', ' → ').replaceAll(origin, '<origin>')
  for (const line of expected) expect(lines).toContain(line)
  expect(text).not.toContain('hunter2')
})
