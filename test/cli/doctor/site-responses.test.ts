/** `doctor --url` reports responses that are not valid, and the proxies that can cause them. */
import { afterAll, expect, test } from 'vitest'
import { cleanUp } from './run-doctor.ts'
import { checkSite } from './site.ts'
import type { Site } from './site.ts'

afterAll(cleanUp)

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
      ' (nginx: $http_host).',
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
