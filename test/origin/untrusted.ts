/** Servers to which something is wrong, and headers nobody sends by chance. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNothingInside, SECRET_TEXT } from './behind-proxy.ts'
import type { Lab, Server } from './lab.ts'
import { spelled } from './spelling.ts'
import { visitor } from './visitor.ts'
import type { Visitor } from './visitor.ts'

const ROOT = { mount: '', slash: '' } as const
const PATHS = ['/protected', '/private', '/docs/secret', '/', '/api/auth/session', '/who', '/props']

/** Somebody who asks the server itself. */
function comeTo(port: number, headers: Record<string, string> = {}): Visitor {
  return visitor({ origin: `http://localhost:${port}`, port, headers })
}

function suite(
  name: string,
  lab: () => Lab,
  env: Record<string, string>,
  tests: (port: () => number) => void,
) {
  describe(name, () => {
    let server: Server
    beforeAll(async () => {
      server = await lab().start(env)
    }, 60_000)
    afterAll(() => server?.stop())
    tests(() => server.port)
  })
}

/** Adds the tests for an application at the root of its site. */
export function untrustedSuite(lab: () => Lab): void {
  suite('when nothing says which host is right', lab, {}, (port) => {
    test.each([
      'app.test',
      'evil.test:443',
      '10.0.0.1',
      'localhost.evil.test',
      'LOCALHOST.evil.test',
    ])('%s is refused everywhere, and nobody learns why', async (host) => {
      const visit = comeTo(port(), { host })
      for (const path of PATHS) {
        const answer = await visit.send(path)
        expect(answer.status).toBe(400)
        expect(answer.text).not.toContain(SECRET_TEXT)
        expect(answer.text).not.toContain(host)
        expectNothingInside(answer)
      }
    })

    test.each(['app.test/evil?x=', 'app@evil.test', 'a b', '"app.test"', 'app.test:x', '..'])(
      'the host %o is none',
      async (host) => {
        const visit = comeTo(port(), { host })
        for (const path of PATHS) {
          const answer = await visit.send(path)
          expect(answer.status).toBeGreaterThanOrEqual(400)
          expect(answer.text).not.toContain(SECRET_TEXT)
          expectNothingInside(answer)
        }
      },
    )

    test.each(['GET /protected HTTP/1.0', 'GET /protected HTTP/1.1\r\nHost: '])(
      'nobody gets in without a host: %j',
      async (head) => {
        const socket = connect(port(), 'localhost')
        socket.end(`${head}\r\nConnection: close\r\n\r\n`)
        const answer = await text(socket)
        expect(answer).toMatch(/^HTTP\/1\.1 (?:307|400) /)
        expect(answer).not.toContain(SECRET_TEXT)
      },
    )

    test('what is forwarded does not count', async () => {
      const headers = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
      const visit = comeTo(port(), headers)
      const { location } = await visit.send('/protected')
      expect(location?.origin).toBe(visit.origin)
      expect(location?.searchParams.get('callbackUrl')).toBe(`${visit.origin}/protected`)
      expect((await visit.send('/api/auth/providers')).text).not.toContain('evil')
    })
  })

  suite('when a proxy says which scheme it is', lab, { AUTH_TRUST_HOST: 'true' }, (port) => {
    // Covers: next.forwarded-lists
    test.each([
      ['https', 'https://app.test'],
      ['HTTPS', 'https://app.test'],
      ['https, http', 'https://app.test'],
      ['http,https', 'https://app.test'],
      ['http', 'http://app.test'],
      ['http, http', 'http://app.test'],
      ['javascript', 'http://app.test'],
      ['', 'http://app.test'],
    ])('%o is %s, wherever somebody asks', async (scheme, origin) => {
      const headers = { 'x-forwarded-proto': scheme }
      const visit = visitor({ origin, port: port(), tls: false, headers })
      const { post } = spelled(visit, ROOT)
      const { location } = await post('callback/credentials', { password: 'right' })
      expect(location?.origin).toBe(origin)
      for (const path of ['/', '/protected', '/who', '/props', '/api/me'])
        expect((await visit.send(path)).text).toContain('Grace')
      const answer = await visit.submit('/', 'provider')
      const redirectUri = answer.location?.searchParams.get('redirect_uri')
      expect(redirectUri).toBe(`${origin}/api/auth/callback/op`)
    })
  })

  suite('when there is no secret', lab, { AUTH_SECRET: '' }, (port) => {
    test('nobody gets in, and nobody learns why', async () => {
      const visit = comeTo(port())
      for (const path of PATHS) {
        const answer = await visit.send(path)
        expect(answer.status).toBe(500)
        expect(answer.text).not.toMatch(/secret/i)
        expectNothingInside(answer)
      }
    })
  })
}
