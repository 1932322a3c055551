/** What the doctor says of a site that runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../tools/nginx.mjs'
import type { AuthConfig } from '../../src/index.ts'
import { findNginx } from '../services.ts'
import { applicationWith, cleanUp, diagnose, GOOD_SECRET, portOf, serve } from './patient.ts'
import { look, site } from './site.ts'
import type { Site } from './site.ts'

afterAll(cleanUp)

test('one that is as it should be', async () => {
  const { origin, site: lines, text, code } = await look({})
  expect(lines).toEqual([
    `✓ site: ${origin} answers below /api/auth.`,
    '✓ site: its cookies arrive as they should: lib.csrf-token.',
  ])
  expect(text).toContain(`✓ clock: this machine agrees with ${new URL(origin).host}.`)
  // Nothing here belongs to the site.
  expect(text).not.toMatch(/secret|environment:/)
  expect([code, text.endsWith('\n\nNothing is wrong.\n')]).toEqual([0, true])
})

test.each([
  ['/auth', '/auth', ''],
  ['/sign/in', '/sign/in', '/sign/in/'],
])('one whose routes are elsewhere: %s', async (_name, basePath, path) => {
  const { site: lines, code } = await look({ config: { basePath } }, path)
  expect(lines[0]).toContain(`answers below ${basePath}.`)
  expect(code).toBe(0)
})

test('one that nobody can reach', async () => {
  const { about, code } = await diagnose(applicationWith({}), ['--url', 'http://127.0.0.1:9'])
  expect(about('site')).toHaveLength(1)
  expect(about('site')[0]).toMatch(
    /^✗ site: http:\/\/127\.0\.0\.1:9\/\S+ was not reached: fetch failed.*→ See whether it runs.*5 seconds\.$/,
  )
  expect(code).toBe(1)
})

describe('one that is not on this machine as far as it knows', () => {
  const asOther = async (config: Partial<AuthConfig>) => {
    const origin = (await serve(site({ config }))).replace('127.0.0.1', '0.0.0.0')
    return (await diagnose(applicationWith({}), ['--url', origin])).about('site')
  }

  test('and believes what everybody can send', async () => {
    const lines = await asOther({})
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^✗ site: it believes an X-Forwarded-Host header from anybody: .*→ Set AUTH_URL=http:\/\/0\.0\.0\.0/,
      ),
    )
  })

  test('and does not, but is not on https', async () => {
    const lines = await asOther({ trustHost: false, trustedHosts: ['0.0.0.0:*'] })
    expect(lines).toEqual([
      expect.stringMatching(/^✓ site: .* answers below/),
      expect.stringMatching(
        /^! site: http:\/\/0\.0\.0\.0:\d+ is not on https: .*→ Serve it over https/,
      ),
    ])
  })
})

describe('beside the configuration of the application', () => {
  const CONFIG = (options: string) => `export const config = {
    providers: [{ id: 'password', name: 'Password', type: 'credentials', authorize: () => null }],
    basePath: '/api/auth', trustHost: true, ${options} }`
  const compare = async (options: string) => {
    const origin = await serve(site({}))
    const folder = applicationWith({ 'auth.mjs': CONFIG(options) })
    return { origin, ...(await diagnose(folder, ['--url', origin], { AUTH_SECRET: GOOD_SECRET })) }
  }

  test('one that is the same', async () => {
    const { about, code } = await compare('')
    expect(about('site').map((line) => line[0])).toEqual(['✓', '✓'])
    expect(code).toBe(0)
  })

  test('one that has other providers and cookies', async () => {
    const { about } = await compare(`
      providers: [{ id: 'other', name: 'Other', type: 'credentials', authorize: () => null }],
      cookies: { csrfToken: { name: 'own' } }`)
    expect(about('site').slice(1)).toEqual([
      '! site: it has the providers password, and the configuration here has other. → Deploy what is here, or look at the configuration that runs there.',
      '! site: its cookie is called lib.csrf-token, and by the configuration here it would be own. → Deploy what is here, or look at the configuration that runs there.',
    ])
  })

  test('one whose host would not be trusted', async () => {
    const { about, origin } = await compare("trustHost: false, trustedHosts: ['app.test'],")
    const { host } = new URL(origin)
    expect(about('origin')[1]).toBe(
      `✗ origin: The host "${host}" (from the URL of the request) is not trusted. → Set AUTH_URL to the URL of the site, trustedHosts: ["${host}"], or trustHost: true (AUTH_TRUST_HOST=true) if the platform sets the Host header.`,
    )
  })

  test('tells what to register with the URL that was asked', async () => {
    const { about, origin } = await compare(`
      providers: [{ id: 'op', name: 'OP', type: 'oauth', clientId: 'a', clientSecret: 'b',
        authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }]`)
    expect(about('provider op')).toEqual([
      `✓ provider op: register ${origin}/api/auth/callback/op there as redirect URI.`,
    ])
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
      return { origin, ...(await diagnose(applicationWith({}), ['--url', origin], env)) }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  test('one that knows', async () => {
    const { about } = await secured({ protocol: 'https' })
    expect(about('site')[1]).toBe(
      '✓ site: its cookies arrive as they should: __Host-lib.csrf-token.',
    )
  })

  test('one that does not know', async () => {
    const { about, origin } = await secured({ protocol: 'http' })
    expect(about('site').slice(1)).toEqual([
      `✗ site: asked as ${origin}, it takes ${origin.replace('https', 'http')} for its own address: providers send people there. → Set AUTH_URL=${origin} where it runs, or let the proxy in front of it send X-Forwarded-Proto: https.`,
      `✗ site: its cookie lib.csrf-token is not Secure although it is asked over https: it takes itself for a site on http. → Set AUTH_URL=${origin} where it runs, or let the proxy in front of it send X-Forwarded-Proto: https.`,
    ])
  })
})
