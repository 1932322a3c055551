/** `AUTH_URL` with another host or port than the address in the browser. */
import { afterEach, expect, test, vi } from 'vitest'
import { Auth, setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { SECRET, silentLog } from '../../config.ts'

afterEach(() => void vi.unstubAllEnvs())

interface Visit {
  readonly host?: string
  readonly AUTH_URL?: string
  readonly mode?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Hosts of further requests. */
  readonly next?: readonly string[]
}

/** The warnings of requests to a site. */
async function warningsOf({ host = 'localhost:3001', next = [], ...visit }: Visit) {
  const { log, logger } = silentLog()
  const { AUTH_URL = 'http://localhost:3000', mode = 'development' } = visit
  vi.stubEnv('NODE_ENV', 'mode' in visit ? visit.mode : mode)
  const config: AuthConfig = { providers: [], secret: SECRET, logger }
  setEnvDefaults({ ...process.env, AUTH_URL }, config)
  for (const each of [host, ...next]) {
    const headers = { host: each, ...visit.headers }
    await Auth(new Request('http://localhost:3001/auth/session', { headers }), config)
  }
  return log.lines.filter(([, code]) => code === 'origin-mismatch').map(([, , text]) => text)
}

test('in development, a request to another port is reported with both origins and what to write', async () => {
  expect(await warningsOf({})).toEqual([
    'A request was sent to http://localhost:3001, but AUTH_URL (origin in the configuration) is http://localhost:3000: redirects lead there, and forms of other origins are rejected. Open http://localhost:3000, or set AUTH_URL=http://localhost:3001.',
  ])
})

test('the mismatch is reported once per process, whatever hosts further requests have', async () => {
  const next = ['localhost:3002', 'localhost:3003', '127.0.0.1:3000']
  expect(await warningsOf({ next })).toHaveLength(1)
})

test.each<[string, Visit]>([
  ['another name of this machine', { host: '127.0.0.1:3000' }],
  ['an address of the local network', { host: '192.168.1.5:3000' }],
  ['the URL of production', { AUTH_URL: 'https://example.com' }],
  ['NODE_ENV that is not set, as with Express', { mode: undefined }],
  [
    'a forwarded host, as with the server of Next.js',
    { headers: { 'x-forwarded-host': 'localhost:3001', 'x-forwarded-for': '::1' } },
  ],
])('the mismatch is reported for %s', async (_, visit) => {
  expect(await warningsOf(visit)).toHaveLength(1)
})

test.each<[string, Visit]>([
  ['the same origin', { host: 'localhost:3000' }],
  ['the same origin in other letters', { host: 'LOCALHOST:3000' }],
  ['the same origin with the default port', { host: 'localhost:80', AUTH_URL: 'http://localhost' }],
  ['production', { mode: 'production' }],
  ['tests', { mode: 'test' }],
  [
    'a proxy that forwards the host',
    { headers: { 'x-forwarded-host': 'app.test' }, AUTH_URL: 'https://app.test' },
  ],
  ['a proxy that replaces the host', { headers: { 'x-forwarded-for': '10.0.0.1' } }],
  ['a proxy that sends Forwarded', { headers: { forwarded: 'for=10.0.0.1' } }],
  ['a public host, which a client may have invented', { host: 'evil.example' }],
  ['a host that is not valid', { host: 'local host' }],
  [
    'a public AUTH_URL and NODE_ENV that is not set',
    { mode: undefined, AUTH_URL: 'https://example.com' },
  ],
])('no mismatch is reported for %s', async (_, visit) => {
  expect(await warningsOf(visit)).toEqual([])
})
