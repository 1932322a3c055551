import { beforeEach, describe, expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { issuer } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import type { Site, SiteOptions } from '../oauth.ts'
import {
  arrive,
  deployment,
  expectSignedInAt,
  locationOf,
  PREVIEW,
  PROXY,
  proxyFor,
} from '../redirect-proxy.ts'

const op = await issuer()

beforeEach(() => op.reset())

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
