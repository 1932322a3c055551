/** What the doctor says of a site that does not answer as it should, or of what stands in front of it. */
import { afterAll, expect, test } from 'vitest'
import { cleanUp } from './patient.ts'
import { look } from './site.ts'
import type { Site } from './site.ts'

afterAll(cleanUp)

const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { 'cache-control': 'no-store' } })

const with_ = (answer: Response, name: string, value: string) => {
  answer.headers.set(name, value)
  return answer
}

const SITES: [string, Site, readonly string[]][] = [
  [
    'one that takes itself for another',
    { config: { origin: 'https://app.test' } },
    [
      '✗ site: asked as <origin>, it takes https://app.test for its own address: providers send people there. → Set AUTH_URL=<origin> where it runs, or let the proxy in front of it send X-Forwarded-Host.',
    ],
  ],
  [
    'one that does not trust the host',
    { config: { trustHost: false } },
    [
      '✗ site: <origin>/api/auth/providers refuses the request: it does not trust the host it is asked by (status 400). → Set AUTH_URL=<origin> where it runs.',
    ],
  ],
  [
    'one without a secret',
    { config: { secret: [] } },
    ['✗ site: <origin>/api/auth/providers does not work (status 500). → See its log'],
  ],
  [
    'one that has no routes there',
    { change: (_path, response) => (response.writeHead(404).end(), false) },
    ['✗ site: <origin>/api/auth/providers has no routes there (status 404). → With Next.js, write'],
  ],
  [
    'one with a guard in front',
    { change: (_path, response) => (response.writeHead(401).end(), false) },
    [
      '✗ site: <origin>/api/auth/providers asks for a sign-in: something in front of the routes answers (status 401). → Leave /api/auth/providers out of what is protected',
    ],
  ],
  [
    'one that leads elsewhere',
    {
      change: (_path, response) => (
        response.writeHead(308, { location: 'https://www.app.test/x?y' }).end(),
        false
      ),
    },
    [
      '✗ site: <origin>/api/auth/providers leads to https://www.app.test, where this did not go along. → If that is the site, look at it: --url https://www.app.test',
    ],
  ],
  [
    'one that leads to its sign-in page',
    {
      change: (path, response, answer) =>
        path === '/session'
          ? (response.writeHead(307, { location: '/login?from=x' }).end(), false)
          : answer,
    },
    [
      '✗ site: <origin>/api/auth/session leads to /login. → Leave /api/auth/session out of what redirects',
    ],
  ],
  [
    'one that answers with a page',
    { change: (_path, response) => (response.writeHead(200).end('<html>'), false) },
    ['✗ site: <origin>/api/auth/providers answers with something that is no JSON'],
  ],
  [
    'one that answers with JSON of its own',
    { change: () => json({ ok: true }) },
    ['✗ site: <origin>/api/auth/providers answers with JSON that is not of the library.'],
  ],
  [
    'one whose answers may be kept',
    { change: (_path, _response, answer) => with_(answer, 'cache-control', 'public, max-age=60') },
    [
      '✗ site: <origin>/api/auth/csrf may be kept by caches: its Cache-Control is "public, max-age=60"',
      '✗ site: <origin>/api/auth/session may be kept',
    ],
  ],
  [
    'one whose answers were kept',
    {
      change: (path, _response, answer) =>
        with_(
          answer,
          path === '/csrf' ? 'age' : 'x-cache',
          path === '/csrf' ? '3' : 'HIT from cdn',
        ),
    },
    [
      '✗ site: <origin>/api/auth/csrf is answered out of a cache, so one person gets what is for another.',
      '✗ site: <origin>/api/auth/session is answered out of a cache',
    ],
  ],
  [
    'one that has a session for nobody',
    {
      change: (path, _response, answer) =>
        path === '/session' ? json({ user: { name: 'Ada' } }) : answer,
    },
    [
      '✗ site: <origin>/api/auth/session answers somebody without cookies with something else than null.',
    ],
  ],
  [
    'one whose cookies are taken away',
    { change: (path, _response, answer) => (path === '/csrf' ? json({ csrfToken: 'x' }) : answer) },
    [
      '✗ site: <origin>/api/auth/csrf sets no cookie, so every form is refused. → Let whatever is in front of the site pass Set-Cookie on.',
    ],
  ],
  [
    'one whose cookies are changed',
    {
      change: (_path, _response, answer) =>
        with_(answer, 'set-cookie', 'lib.csrf-token=hunter2; Path=/; SameSite=None'),
    },
    [
      '✗ site: its cookie lib.csrf-token is not HttpOnly',
      '! site: its cookie lib.csrf-token is sent with requests of other sites.',
    ],
  ],
  [
    'one whose clock is wrong',
    {
      change: (_path, response, answer) => (
        response.setHeader('date', 'Tue, 01 Jan 2019 00:00:00 GMT'),
        answer
      ),
    },
    ['✗ clock: this machine is '],
  ],
]

test.concurrent.each(SITES)('%s', async (_name, options, expected) => {
  const { origin, text } = await look(options)
  const lines = text.replaceAll('\n    ', ' → ').replaceAll(origin, '<origin>')
  for (const line of expected) expect(lines).toContain(line)
  expect(text).not.toContain('hunter2')
})
