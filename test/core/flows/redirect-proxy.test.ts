import { beforeEach, describe, expect, test } from 'vitest'
import { setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc, SECRET } from '../../config.ts'
import { expectRefused, expectSignedIn, transactionCookies } from '../../oauth.ts'
import type { Site, SiteOptions } from '../../oauth.ts'
import {
  arrive,
  deployment,
  expectSignedInAt,
  locationOf,
  PREVIEW,
  PROXY,
  proxyFor,
} from '../../redirect-proxy.ts'

const op = await issuer()

beforeEach(() => op.reset())

/** A deployment and the proxy that allows it, with the same options. */
function pair(options: SiteOptions = {}): { preview: Site; proxy: Site } {
  return { preview: deployment(op, PREVIEW, options), proxy: proxyFor(op, [PREVIEW], options) }
}

describe('a deployment that is not registered with the provider', () => {
  test('signs users in through the registered one', async () => {
    const { preview, proxy } = pair()
    const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
    const registered = `${PROXY}/auth/callback/op`
    expect(transaction.url.searchParams.get('redirect_uri')).toBe(registered)

    const { url } = await op.authorize(transaction.url)
    const sentOn = await arrive(proxy, url)
    expect(sentOn.status).toBe(302)
    expect(locationOf(sentOn)).toBe(`${PREVIEW}/auth/callback/op${new URL(url).search}`)

    await expectSignedIn(preview, await arrive(preview, locationOf(sentOn)), `${PREVIEW}/members`)
    const exchange = preview.sent.find(({ url: { pathname } }) => pathname === '/token')
    expect(exchange?.body.get('redirect_uri')).toBe(registered)
    expect(transactionCookies(preview.tab)).toEqual([])
  })

  test('receives an error response', async () => {
    const { preview, proxy } = pair()
    op.misbehaviour.authorization = (parameters) => {
      parameters.delete('code')
      parameters.set('error', 'access_denied')
      parameters.set('error_description', 'Not today & not tomorrow')
      return parameters
    }
    const transaction = await preview.tab.begin('op')
    const { url } = await op.authorize(transaction.url)
    const sentOn = locationOf(await arrive(proxy, url))
    expect(sentOn).toBe(`${PREVIEW}/auth/callback/op${new URL(url).search}`)
    expect(proxy.log.errors).toEqual([])
    await expectRefused(preview, await arrive(preview, sentOn))
  })

  test('can have another base path than the proxy, whose URL can end with a slash', async () => {
    const basePath = '/api/login'
    const { proxy } = pair()
    const preview = deployment(op, PREVIEW, {
      browser: { basePath },
      config: { basePath, redirectProxyUrl: `${PROXY}/auth/` },
    })
    await expectSignedInAt(preview, proxy)
  })

  test('can be on localhost without https', async () => {
    const origin = 'http://localhost:3000'
    await expectSignedInAt(deployment(op, origin), proxyFor(op, [origin]))
  })

  test('can have an older secret that the proxy still accepts', async () => {
    const { preview } = pair()
    const secret = ['a newer secret of the proxy, of more than 32 bytes', SECRET]
    await expectSignedInAt(preview, proxyFor(op, [PREVIEW], { config: { secret } }))
  })

  test.each([[['none']], [['pkce']], [['nonce', 'pkce']]] as const)(
    'sends state, even with checks %j',
    async (checks) => {
      const list = [...checks]
      const { preview, proxy } = pair({ provider: { checks: list } })
      const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
      const { url } = await op.authorize(transaction.url)
      const sentOn = locationOf(await arrive(proxy, url))
      const thief = { ...preview, tab: preview.open() }
      await expectRefused(thief, await arrive(thief, sentOn), { type: 'InvalidCheck' })
      preview.log.errors.length = 0
      await expectSignedIn(preview, await arrive(preview, sentOn), `${PREVIEW}/members`)
      expect(list).toEqual(checks)
    },
  )

  test('can have several pending sign-ins', async () => {
    const { preview, proxy } = pair()
    const begun = [
      await preview.tab.begin('op', { callbackUrl: '/first' }),
      await preview.tab.begin('op', { callbackUrl: '/second' }),
    ]
    const sentOn = []
    for (const { url } of begun)
      sentOn.push(locationOf(await arrive(proxy, (await op.authorize(url)).url)))
    const [first = '', second = ''] = sentOn
    await expectSignedIn(preview, await arrive(preview, second), `${PREVIEW}/second`)
    await expectSignedIn(preview, await arrive(preview, first), `${PREVIEW}/first`)
    expect(transactionCookies(preview.tab)).toEqual([])
  })

  test('stays below the cookie limits of servers with many pending sign-ins', async () => {
    const { preview } = pair()
    for (let count = 0; count < 8; count++) await preview.tab.begin('op')
    const url = new URL(`${PREVIEW}/auth/session`)
    const header = preview.tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
    expect(header.length).toBeLessThan(8 * 1024)
  })
})

describe('the proxy', () => {
  test('does not process a response for another deployment', async () => {
    const { preview, proxy } = pair()
    await expectSignedIn(proxy, await proxy.tab.signIn('op'))
    const before = proxy.tab.cookies.all()
    const requests = proxy.sent.length
    const transaction = await preview.tab.begin('op')
    const sentOn = await arrive(proxy, (await op.authorize(transaction.url)).url)
    expect(sentOn.headers.getSetCookie()).toEqual([])
    expect(sentOn.headers.get('cache-control')).toBe('private, no-store')
    expect(sentOn.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await sentOn.text()).toBe('')
    expect(proxy.tab.cookies.all()).toEqual(before)
    expect(proxy.sent).toHaveLength(requests)
    expect(proxy.signedIn).toHaveLength(1)
  })

  test('signs in its own users', async () => {
    const { proxy } = pair()
    const transaction = await proxy.tab.begin('op')
    expect(transaction.url.searchParams.get('redirect_uri')).toBe(`${PROXY}/auth/callback/op`)
    expect(transaction.url.searchParams.get('state')).toMatch(/^[\w-]{43}$/)
    await expectSignedIn(proxy, await transaction.complete())
  })

  test('forwards each response to its deployment', async () => {
    const origins = ['https://one.example.test', 'https://two.example.test']
    const proxy = proxyFor(op, ['https://*.example.test'])
    for (const origin of origins) await expectSignedInAt(deployment(op, origin), proxy)
    expect(proxy.log.errors).toEqual([])
  })

  test('does not forward HEAD requests', async () => {
    const { preview, proxy } = pair()
    const transaction = await preview.tab.begin('op')
    const { url } = await op.authorize(transaction.url)
    const response = await proxy.tab.request(url, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.has('location')).toBe(false)
  })

  test('forwards a form post, encrypted', async () => {
    const authorization = { params: { response_mode: 'form_post' } }
    const { preview, proxy } = pair({ provider: { authorization } })
    const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
    const { url, form = new URLSearchParams() } = await op.authorize(transaction.url)
    expect(url).toBe(`${PROXY}/auth/callback/op`)
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    const sentOn = await proxy.tab.request(url, request)
    expect(sentOn.status).toBe(303)
    expect(sentOn.headers.getSetCookie()).toEqual([])
    const location = locationOf(sentOn)
    expect(location.replace(/=[\w.-]+$/, '')).toBe(`${PREVIEW}/auth/callback/op?form`)
    expect([...form.values()].filter((value) => location.includes(value))).toEqual([])
    await expectSignedIn(preview, await arrive(preview, location), `${PREVIEW}/members`)
    await expectSignedIn(proxy, await proxy.tab.signIn('op'))
  })
})

describe('a proxy of one provider', () => {
  const redirectProxyUrl = 'https://other-auth.example.test/auth'

  async function redirectUriOf(options: SiteOptions): Promise<string | null> {
    const { tab } = deployment(op, PREVIEW, options)
    return (await tab.begin('op')).url.searchParams.get('redirect_uri')
  }

  test('has precedence over the global one', async () => {
    const expected = `${redirectProxyUrl}/callback/op`
    expect(await redirectUriOf({ provider: { redirectProxyUrl } })).toBe(expected)
    const alone = { provider: { redirectProxyUrl }, config: { redirectProxyUrl: undefined } }
    expect(await redirectUriOf(alone)).toBe(expected)
  })

  test('forwards responses, while the global one is an ordinary deployment', async () => {
    const options = { provider: { redirectProxyUrl } }
    const other = proxyFor(op, [PREVIEW, PROXY], {
      ...options,
      browser: { origin: new URL(redirectProxyUrl).origin },
    })
    await expectSignedInAt(deployment(op, PREVIEW, options), other)
    await expectSignedInAt(deployment(op, PROXY, options), other)
  })

  test('can be disabled', async () => {
    const expected = `${PREVIEW}/auth/callback/op`
    expect(await redirectUriOf({ provider: { redirectProxyUrl: '' } })).toBe(expected)
  })
})

test('the environment sets the proxy URL and the allowed origins', async () => {
  const { config: given, log } = configFor(op, { providers: [oidc(op)] })
  const config: AuthConfig = { ...given }
  setEnvDefaults(
    {
      AUTH_REDIRECT_PROXY_URL: `${PROXY}/auth`,
      AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS: ` https://app.test, ${PREVIEW},,`,
    },
    config,
  )
  expect(config.redirectProxyAllowedOrigins).toEqual(['https://app.test', PREVIEW])
  const preview = browser(config, { origin: PREVIEW })
  const proxy = browser(config, { origin: PROXY })
  const { url } = await op.authorize((await preview.begin('op')).url)
  const sentOn = await arrive({ tab: proxy }, url)
  const response = await arrive({ tab: preview }, locationOf(sentOn))
  await expectSignedIn({ tab: preview, log }, response)
})

describe('deployments that share only redirectProxySecret', () => {
  const redirectProxySecret = 'what deployments share with the proxy, long enough'
  const secret = 'what production keeps to itself, long enough'

  function separate(options: SiteOptions = {}): { preview: Site; proxy: Site } {
    const preview = deployment(op, PREVIEW, { ...options, config: { redirectProxySecret } })
    const config = { redirectProxySecret, secret }
    return { preview, proxy: proxyFor(op, [PREVIEW], { ...options, config }) }
  }

  test('sign users in through the proxy', async () => {
    const { preview, proxy } = separate()
    await expectSignedInAt(preview, proxy)
    await expectSignedIn(proxy, await proxy.tab.signIn('op'))
  })

  test('report that the proxy has another secret', async () => {
    const { preview } = separate()
    const config = { redirectProxySecret: 'another secret, of more than 32 bytes' }
    const proxy = proxyFor(op, [PREVIEW], { config })
    const transaction = await preview.tab.begin('op')
    const { url } = await op.authorize(transaction.url)
    const answer = await proxy.tab.request(url, { initiator: 'cross-site' })
    expect(locationOf(answer)).toBe(`${PROXY}/auth/signin?error=InvalidCheck`)
    expect(proxy.log.errors).toMatchObject([
      {
        type: 'InvalidCheck',
        message: expect.stringContaining('Set AUTH_REDIRECT_PROXY_SECRET (default: AUTH_SECRET)'),
      },
    ])
  })

  test('receive forwarded form posts', async () => {
    const authorization = { params: { response_mode: 'form_post' } }
    const { preview, proxy } = separate({ provider: { authorization } })
    const transaction = await preview.tab.begin('op', { callbackUrl: '/members' })
    const { url, form = new URLSearchParams() } = await op.authorize(transaction.url)
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    const sentOn = locationOf(await proxy.tab.request(url, request))
    await expectSignedIn(preview, await arrive(preview, sentOn), `${PREVIEW}/members`)
    await expectSignedIn(proxy, await proxy.tab.signIn('op'))
  })

  test.each([
    ['its own secret', SECRET, null],
    ['the shared secret', redirectProxySecret, null],
    ['the secret of production', secret, { user: { name: expect.any(String) } }],
  ])('issue sessions with %s, and only the last one is valid in production', async (...row) => {
    const [, forged, session] = row
    const { preview, proxy } = separate()
    const forger = deployment(op, PROXY, { config: { secret: forged, redirectProxySecret } })
    await expectSignedIn(forger, await forger.tab.signIn('op'))
    for (const { name, value } of forger.tab.cookies.all()) proxy.tab.cookies.set(name, value)
    if (session) expect(await proxy.tab.session()).toMatchObject(session)
    else expect(await proxy.tab.session()).toBeNull()
    await expectSignedInAt(preview, proxy)
  })

  test('accept an older one during rotation', async () => {
    const { preview } = separate()
    const rotated = ['a newer secret of the proxy, of more than 32 bytes', redirectProxySecret]
    const config = { redirectProxySecret: rotated, secret }
    await expectSignedInAt(preview, proxyFor(op, [PREVIEW], { config }))
  })

  test('read it from AUTH_REDIRECT_PROXY_SECRET', () => {
    const config: AuthConfig = { providers: [] }
    setEnvDefaults({ AUTH_REDIRECT_PROXY_SECRET: redirectProxySecret }, config)
    expect(config.redirectProxySecret).toBe(redirectProxySecret)
    const other: AuthConfig = { providers: [], redirectProxySecret: 'configured' }
    setEnvDefaults({ AUTH_REDIRECT_PROXY_SECRET: redirectProxySecret }, other)
    expect(other.redirectProxySecret).toBe('configured')
  })
})
