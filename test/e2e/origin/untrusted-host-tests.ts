/** Servers with an incomplete configuration, and spoofed headers. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNoInternals, SECRET_TEXT } from './proxy-tests.ts'
import type { Application, Server } from './application.ts'
import { pathsOf } from './paths.ts'
import { visitor } from './visitor.ts'
import type { Visitor } from './visitor.ts'

const ROOT = { basePath: '', trailingSlash: '' } as const
const PATHS = ['/protected', '/private', '/docs/secret', '/', '/api/auth/session', '/who', '/props']

/** Opens a browser that requests the server directly. */
function openDirectly(port: number, headers: Record<string, string> = {}): Visitor {
  return visitor({ origin: `http://localhost:${port}`, port, headers })
}

function suite(
  name: string,
  application: () => Application,
  env: Record<string, string>,
  tests: (port: () => number) => void,
) {
  describe(name, () => {
    let server: Server
    beforeAll(async () => {
      server = await application().start(env)
    })
    afterAll(() => server?.stop())
    tests(() => server.port)
  })
}

/** Adds the tests for an application at the root of its site. */
export function untrustedHostTests(application: () => Application): void {
  suite('without a trusted host', application, {}, (port) => {
    test.each([
      'app.test',
      'evil.test:443',
      '10.0.0.1',
      'localhost.evil.test',
      'LOCALHOST.evil.test',
    ])('requests to the host %s are rejected without details', async (host) => {
      const visit = openDirectly(port(), { host })
      for (const path of PATHS) {
        const answer = await visit.send(path)
        expect(answer.status).toBe(400)
        expect(answer.text).not.toContain(SECRET_TEXT)
        expect(answer.text).not.toContain(host)
        expectNoInternals(answer)
      }
    })

    test.each(['app.test/evil?x=', 'app@evil.test', 'a b', '"app.test"', 'app.test:x', '..'])(
      'requests to the invalid host %o are rejected',
      async (host) => {
        const visit = openDirectly(port(), { host })
        for (const path of PATHS) {
          const answer = await visit.send(path)
          expect(answer.status).toBeGreaterThanOrEqual(400)
          expect(answer.text).not.toContain(SECRET_TEXT)
          expectNoInternals(answer)
        }
      },
    )

    test.each(['GET /protected HTTP/1.0', 'GET /protected HTTP/1.1\r\nHost: '])(
      'protected pages are not served without a host: %j',
      async (head) => {
        const socket = connect(port(), 'localhost')
        socket.end(`${head}\r\nConnection: close\r\n\r\n`)
        const answer = await text(socket)
        expect(answer).toMatch(/^HTTP\/1\.1 (?:307|400) /)
        expect(answer).not.toContain(SECRET_TEXT)
      },
    )

    test('forwarded headers are ignored', async () => {
      const headers = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
      const visit = openDirectly(port(), headers)
      const { location } = await visit.send('/protected')
      expect(location?.origin).toBe(visit.origin)
      expect(location?.searchParams.get('callbackUrl')).toBe(`${visit.origin}/protected`)
      expect((await visit.send('/api/auth/providers')).text).not.toContain('evil')
    })
  })

  suite(
    'behind a proxy that forwards the scheme',
    application,
    { AUTH_TRUST_HOST: 'true' },
    (port) => {
      test.each([
        ['https', 'https://app.test'],
        ['HTTPS', 'https://app.test'],
        ['https, http', 'https://app.test'],
        ['http,https', 'https://app.test'],
        ['http', 'http://app.test'],
        ['http, http', 'http://app.test'],
        ['javascript', 'http://app.test'],
        ['', 'http://app.test'],
      ])(
        'X-Forwarded-Proto: %o leads to the origin %s in every context',
        async (scheme, origin) => {
          const headers = { 'x-forwarded-proto': scheme }
          const visit = visitor({ origin, port: port(), tls: false, headers })
          const { post } = pathsOf(visit, ROOT)
          const { location } = await post('callback/credentials', { password: 'right' })
          expect(location?.origin).toBe(origin)
          for (const path of ['/', '/protected', '/who', '/props', '/api/me'])
            expect((await visit.send(path)).text).toContain('Grace')
          const answer = await visit.submit('/', 'provider')
          const redirectUri = answer.location?.searchParams.get('redirect_uri')
          expect(redirectUri).toBe(`${origin}/api/auth/callback/op`)
        },
      )
    },
  )

  suite('without a secret', application, { AUTH_SECRET: '' }, (port) => {
    test('every request is rejected without details', async () => {
      const visit = openDirectly(port())
      for (const path of PATHS) {
        const answer = await visit.send(path)
        expect(answer.status).toBe(500)
        expect(answer.text).not.toMatch(/secret/i)
        expectNoInternals(answer)
      }
    })
  })
}
