/** What the doctor says of the origin, the base path and cookies. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  applicationWith,
  cleanUp,
  diagnose,
  ENV,
  examine,
  GOOD_SECRET,
  moduleWith,
} from './patient.ts'

afterAll(cleanUp)

describe('the origin', () => {
  const ORIGINS: [string, string, Record<string, string>, string][] = [
    [
      'of the configuration',
      `origin: 'https://own.test'`,
      {},
      '✓ origin: https://own.test, as origin of the configuration says.',
    ],
    [
      'no URL',
      '',
      { AUTH_URL: 'app.test' },
      '✗ configuration: origin is not an origin (got "app.test"). → Set AUTH_URL, or origin in the configuration, to scheme and host: https://example.com.',
    ],
    [
      'on plain http',
      '',
      { AUTH_URL: 'http://app.test' },
      '! origin: AUTH_URL says http://app.test: without https, whoever is on the way reads the sessions. → Write https://app.test.',
    ],
    [
      'of this machine, in production',
      '',
      { AUTH_URL: 'http://localhost:3000', NODE_ENV: 'production' },
      '! origin: AUTH_URL says http://localhost:3000, which only this machine can reach. → Set AUTH_URL',
    ],
    [
      'with more than that',
      '',
      { AUTH_URL: 'https://app.test/auth?a=b' },
      '! origin: AUTH_URL has more than an origin and a path, which is not used. → Write https://app.test.',
    ],
    [
      'that nothing says, in development',
      '',
      {},
      '! origin: that of each request: as the Host header says, or X-Forwarded-Host where a proxy has put an address of its own there, because NODE_ENV is development. In production, nothing says which host is right. → Set AUTH_URL',
    ],
    [
      'that nothing says, in production',
      '',
      { NODE_ENV: 'production' },
      '✗ origin: nothing says which host is right: requests are refused with UntrustedHost, but for those of this machine. → Set AUTH_URL',
    ],
    [
      'that must not be what is sent',
      '',
      { AUTH_TRUST_HOST: 'false' },
      '✗ origin: AUTH_TRUST_HOST says that the Host header cannot be trusted',
    ],
    [
      'that a platform says',
      '',
      { VERCEL: '1' },
      '✓ origin: that of each request: as the Host header says, or X-Forwarded-Host where a proxy has put an address of its own there, because VERCEL is set.',
    ],
    [
      'that the configuration lets be sent',
      'trustHost: true',
      {},
      '✓ origin: that of each request: as the Host header says, or X-Forwarded-Host where a proxy has put an address of its own there, as trustHost of the configuration says.',
    ],
    [
      'of a list',
      `trustedHosts: ['*.app.test']`,
      { NODE_ENV: 'production' },
      '✓ origin: that of each request: as the Host header says, or X-Forwarded-Host where a proxy has put an address of its own there, if it is one of *.app.test.',
    ],
    [
      'with a switch that says neither',
      '',
      { AUTH_TRUST_HOST: 'maybe' },
      '! origin: AUTH_TRUST_HOST is neither true nor false, so it says nothing. → Write AUTH_TRUST_HOST=true.',
    ],
  ]
  test.concurrent.each(ORIGINS)('%s', async (_name, options, env, expected) => {
    const { text } = await examine(`{ providers: [password], ${options} }`, {
      AUTH_SECRET: GOOD_SECRET,
      ...env,
    })
    expect(text.replaceAll('\n    ', ' → ')).toContain(expected)
  })
})

describe('the base path', () => {
  test('is what the URL says', async () => {
    const { about } = await examine('{ providers: [password] }', {
      ...ENV,
      AUTH_URL: 'https://app.test/sign/',
    })
    expect(about('base path')).toEqual(['✓ base path: /sign, as AUTH_URL says.'])
  })

  test('is what the configuration says, if both say one', async () => {
    const env = { ...ENV, AUTH_URL: 'https://app.test/sign' }
    const { about } = await examine(`{ providers: [password], basePath: '/own' }`, env)
    expect(about('base path')).toEqual([
      '! base path: basePath of the configuration says /own, and AUTH_URL says /sign, which is not used. → Write AUTH_URL=https://app.test.',
    ])
  })

  test('has no route in an application for Next.js', async () => {
    const folder = applicationWith({
      'package.json': '{ "dependencies": { "next": "16" } }',
      'auth.mjs': moduleWith('{ providers: [password] }'),
      'app/api/other/[...auth]/route.ts': '',
      'app/api/auth/[...auth]/page.tsx': '',
    })
    expect((await diagnose(folder, [], ENV)).about('base path')).toEqual([
      '✓ base path: /api/auth, which is the default.',
      '! base path: no route answers there: app/api/auth/[...auth] has no file route.ts. → Write export const { GET, POST } = handlers in app/api/auth/[...auth]/route.ts.',
    ])
  })
})

describe('cookies', () => {
  const COOKIES: [string, string, string, string][] = [
    [
      'on https',
      '',
      'https://app.test',
      '✓ cookies: __Host-lib.session-token holds the session (Secure; HttpOnly; SameSite=Lax; Path=/), __Host-lib.csrf-token protects forms.',
    ],
    [
      'on http',
      '',
      'http://localhost:3000',
      '✓ cookies: lib.session-token holds the session (HttpOnly; SameSite=Lax; Path=/), lib.csrf-token protects forms.',
    ],
    [
      'on either',
      '',
      '',
      'protects forms; on http they are called lib.session-token and so on, without Secure.',
    ],
    [
      'of a domain',
      `cookies: { sessionToken: { options: { domain: 'app.test' } } }`,
      'https://app.test',
      '✓ cookies: __Secure-lib.session-token holds the session (Secure; HttpOnly; SameSite=Lax; Path=/; Domain=app.test)',
    ],
    [
      'that are not Secure',
      'useSecureCookies: false',
      'https://app.test',
      '✗ cookies: useSecureCookies is false: browsers send the session over http, too, where anybody can read it. → Leave useSecureCookies out',
    ],
    [
      'that no browser keeps',
      'useSecureCookies: true',
      'http://localhost:3000',
      '✗ cookies: useSecureCookies is true, and http://localhost:3000 is not on https: browsers keep no such cookie, so nobody can sign in. → Leave useSecureCookies out.',
    ],
    [
      'that scripts can read',
      'cookies: { sessionToken: { options: { httpOnly: false } } }',
      'https://app.test',
      '✗ cookies: __Host-lib.session-token is not HttpOnly',
    ],
    [
      'that other sites send',
      `cookies: { sessionToken: { options: { sameSite: 'none' } } }`,
      'https://app.test',
      '! cookies: __Host-lib.session-token is sent with requests of other sites.',
    ],
    [
      'with a name that browsers refuse',
      `cookies: { sessionToken: { name: '__Host-x', options: { path: '/x' } } }`,
      'https://app.test',
      '✗ configuration: The cookie __Host-x needs options.path: "/", or another name.',
    ],
  ]
  test.concurrent.each(COOKIES)('%s', async (_name, options, AUTH_URL, expected) => {
    const { text } = await examine(`{ providers: [password], ${options} }`, { ...ENV, AUTH_URL })
    expect(text.replaceAll('\n    ', ' → ')).toContain(expected)
  })
})
