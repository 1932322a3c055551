/** `options.domain` of a cookie that does not cover the host of the site. */
import { expect, test } from 'vitest'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { SECRET, silentLog } from '../../config.ts'

type Cookies = NonNullable<AuthConfig['cookies']>

/** The warnings of requests to these hosts. */
async function warningsOf(cookies: Cookies, ...hosts: string[]) {
  const { log, logger } = silentLog()
  const config: AuthConfig = { providers: [], secret: SECRET, logger, cookies, trustHost: true }
  for (const host of hosts) await Auth(new Request(`https://${host}/auth/session`), config)
  return log.lines.filter(([, code]) => code === 'cookie-domain').map(([, , text]) => text)
}

const session = (domain: string): Cookies => ({ sessionToken: { options: { domain } } })

test('a domain that browsers reject is reported once, with the cookie, the site and the domain', async () => {
  const hosts = ['preview.example.net', 'app.example.com', 'other.example.net']
  expect(await warningsOf(session('example.com'), ...hosts)).toEqual([
    'Browsers reject the cookie __Secure-lib.session-token at https://preview.example.net: its options.domain, example.com, is not the host or a parent of it. Set the domain only where the site has it, as in production.',
  ])
})

test.each<[string, Cookies, string]>([
  ['a domain below the host', session('app.example.com'), 'example.com'],
  ['a domain that only ends alike', session('ample.com'), 'example.com'],
  ['an address', session('example.com'), '192.0.2.1'],
  ['an IPv6 address', session('example.com'), '[2001:db8::1]:8443'],
  ['the cookie with the state', { state: { options: { domain: 'example.com' } } }, 'example.net'],
  ['the CSRF token', { csrfToken: { options: { domain: 'example.com' } } }, 'example.net'],
  ['the callback URL', { callbackUrl: { options: { domain: 'example.com' } } }, 'example.net'],
  [
    'the challenge of a passkey',
    { webauthnChallenge: { options: { domain: 'example.com' } } },
    'example.net',
  ],
])('it is reported for %s', async (_, cookies, host) => {
  expect(await warningsOf(cookies, host)).toHaveLength(1)
})

test.each<[string, Cookies, string]>([
  ['the host itself', session('example.com'), 'example.com:8443'],
  ['a parent', session('example.com'), 'a.b.example.com'],
  ['a parent with a leading dot', session('.example.com'), 'app.example.com'],
  ['a parent in capitals', session('EXAMPLE.com'), 'app.example.com'],
  ['no domain', { sessionToken: { name: 'id' } }, 'example.com'],
])('it is not reported for %s', async (_, cookies, host) => {
  expect(await warningsOf(cookies, host)).toEqual([])
})
