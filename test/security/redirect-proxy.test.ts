/** The redirect proxy forwards a response only to the deployment that requested it. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { oidc } from '../config.ts'
import { expectRefused, expectSignedIn, advanceDate, logged, stopDate } from '../oauth.ts'
import type { Site } from '../oauth.ts'
import { arrive, deployment, locationOf, PREVIEW, PROXY, proxyFor } from '../redirect-proxy.ts'

const op = await issuer()
const EVIL = 'https://evil.example'

beforeEach(() => op.reset())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** The URL of the authorization response for a sign-in that began at this site. */
async function answerFor(site: Site): Promise<string> {
  const { url } = await op.authorize((await site.tab.begin('op')).url)
  site.secrets.add(new URL(url).searchParams.get('code') ?? '')
  return url
}

function withState(url: string, state: string | null): string {
  const changed = new URL(url)
  if (state === null) changed.searchParams.delete('state')
  else changed.searchParams.set('state', state)
  return changed.href
}

/** Expects that the proxy forwards nothing, and logs the reason. */
async function expectBlocked(proxy: Site, url: string, why: readonly string[]): Promise<void> {
  const response = await arrive(proxy, url)
  await expectRefused(proxy, response)
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.text()).toBe('')
  const [error] = proxy.log.errors
  for (const words of why) expect(error?.message).toContain(words)
  expect(op.requests.token).toBe(0)
}

describe('a state that the proxy cannot read', () => {
  const cookieOf = ({ tab }: Site, name: string) =>
    tab.cookies.all().find((cookie) => cookie.name.includes(name))?.value ?? ''

  test.each<[string, (preview: Site) => Promise<string | null>]>([
    ['is made up', async () => 'made-up'],
    [
      'is sealed with another secret',
      async () => {
        const secret = 'another secret, which is long enough too'
        const other = deployment(op, PREVIEW, { config: { secret } })
        return (await other.tab.begin('op')).url.searchParams.get('state')
      },
    ],
    [
      'is changed in one place',
      async ({ tab }) => {
        const state = (await tab.begin('op')).url.searchParams.get('state') ?? ''
        const at = state.length - 60
        return state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
      },
    ],
    [
      'is a session',
      async (preview) => {
        const direct = deployment(op, PREVIEW, { config: { redirectProxyUrl: undefined } })
        await expectSignedIn(direct, await direct.tab.signIn('op'))
        preview.secrets.add(cookieOf(direct, 'session-token'))
        return cookieOf(direct, 'session-token')
      },
    ],
    [
      'is a transaction cookie',
      async (preview) => {
        await preview.tab.begin('op')
        return cookieOf(preview, 'lib.state.')
      },
    ],
  ])('%s: the response is not forwarded', async (_what, stateOf) => {
    const preview = deployment(op, PREVIEW)
    const proxy = proxyFor(op, [PREVIEW])
    const url = await answerFor(preview)
    const state = await stateOf(preview)
    op.reset()
    await expectRefused(proxy, await arrive(proxy, withState(url, state)), { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })

  test('is not accepted after ten minutes', async () => {
    stopDate()
    const proxy = proxyFor(op, [PREVIEW])
    const url = await answerFor(deployment(op, PREVIEW))
    advanceDate(10 * 60)
    expect(locationOf(await arrive(proxy, url))).toContain(PREVIEW)
    advanceDate(16)
    await expectRefused(proxy, await arrive(proxy, url), { type: 'InvalidCheck' })
  })
})

describe('the proxy does not forward', () => {
  test('to a host from a forged Host header of a deployment', async () => {
    const evil = deployment(op, EVIL)
    const proxy = proxyFor(op, [PREVIEW])
    const url = await answerFor(evil)
    await expectBlocked(proxy, url, [
      EVIL,
      'redirectProxyAllowedOrigins',
      'AUTH_REDIRECT_PROXY_ALLOWED_ORIGINS',
    ])
    expect(logged(proxy.log, evil.secrets)).toEqual([])
  })

  test('without allowed origins', async () => {
    const { config } = deployment(op, PROXY)
    expect(config.redirectProxyAllowedOrigins).toBeUndefined()
    await expectBlocked(deployment(op, PROXY), await answerFor(deployment(op, PREVIEW)), [PREVIEW])
  })

  test('a form post to an unknown host', async () => {
    const provider = { authorization: { params: { response_mode: 'form_post' } } }
    const evil = deployment(op, EVIL, { provider })
    const proxy = proxyFor(op, [PREVIEW], { provider })
    const { url, form = new URLSearchParams() } = await op.authorize(
      (await evil.tab.begin('op')).url,
    )
    const request = { method: 'POST', form, initiator: 'cross-site' } as const
    const response = await proxy.tab.request(url, request)
    await expectRefused(proxy, response)
    expect(locationOf(response)).not.toContain('form=')
  })

  test('over http', async () => {
    const plain = deployment(op, PREVIEW.replace('https:', 'http:'))
    const url = await answerFor(plain)
    for (const pattern of [PREVIEW, 'https://*.example.test'])
      await expectBlocked(proxyFor(op, [pattern]), url, ['http://preview-1.example.test', 'https.'])
  })

  test('to localhost in production', async () => {
    const url = await answerFor(deployment(op, 'http://localhost:3000'))
    vi.stubEnv('NODE_ENV', 'production')
    await expectBlocked(proxyFor(op, [PREVIEW]), url, ['http://localhost:3000', 'is not https'])
    const listed = proxyFor(op, ['http://localhost:3000'])
    expect((await arrive(listed, url)).status).toBe(500)
    expect(listed.log.errors).toMatchObject([{ type: 'InvalidConfiguration' }])
  })

  test('to itself', async () => {
    const behindAnother = deployment(op, PROXY, {
      config: { redirectProxyUrl: 'https://another.example.test/auth' },
    })
    const url = (await answerFor(behindAnother)).replace('https://another.example.test', PROXY)
    const proxy = proxyFor(op, [PROXY, 'https://*.example.test'])
    await expectRefused(proxy, await arrive(proxy, url), { type: 'InvalidCheck' })
  })

  test('a response of one provider to the callback of another', async () => {
    const providers = [oidc(op), oidc(op, { id: 'other' })]
    const preview = deployment(op, PREVIEW, { config: { providers } })
    const proxy = proxyFor(op, [PREVIEW], { config: { providers } })
    const { url } = await op.authorize((await preview.tab.begin('other')).url)
    const swapped = url.replace('/callback/other', '/callback/op')
    await expectBlocked(proxy, swapped, [PREVIEW, '/auth/callback/other', 'provider op'])
    expect(locationOf(await arrive(proxy, url))).toContain(PREVIEW)
  })
})

test('a deployment that is not the proxy forwards nothing', async () => {
  const url = (await answerFor(deployment(op, PREVIEW))).replace(PROXY, 'https://two.example.test')
  const other = deployment(op, 'https://two.example.test', {
    config: { redirectProxyAllowedOrigins: [PREVIEW] },
  })
  await expectRefused(other, await arrive(other, url), { type: 'InvalidCheck' })
})

describe('an asterisk', () => {
  const pattern = 'https://*.example.test'
  const isForwarded = async (origin: string): Promise<boolean> => {
    const proxy = proxyFor(op, ['https://x.test', pattern])
    const location = locationOf(await arrive(proxy, await answerFor(deployment(op, origin))))
    return new URL(location).origin === origin
  }

  test.each(['https://a.example.test', 'https://a-b--c.example.test', 'https://1.example.test'])(
    'stands for one label: %s',
    async (origin) => {
      expect(await isForwarded(origin)).toBe(true)
    },
  )

  test.each([
    'https://example.test',
    'https://a.b.example.test',
    'https://evilexample.test',
    'https://a.example.test.evil.example',
    'https://a.example.test:8443',
    'https://evil.example',
  ])('matches nothing else: %s', async (origin) => {
    expect(await isForwarded(origin)).toBe(false)
  })
})

describe('an attacker with a sign-in of their own', () => {
  test('cannot use the code of another user', async () => {
    const victim = deployment(op, PREVIEW)
    const attacker = deployment(op, PREVIEW)
    const proxy = proxyFor(op, [PREVIEW])
    const code = new URL(await answerFor(victim)).searchParams.get('code') ?? ''
    const own = new URL(await answerFor(attacker))
    own.searchParams.set('code', code)
    const sentOn = locationOf(await arrive(proxy, own.href))
    await expectRefused(attacker, await arrive(attacker, sentOn))
    expect(op.requests.token).toBe(1)
  })

  test('cannot use the state of another user', async () => {
    const victim = deployment(op, PREVIEW)
    const attacker = deployment(op, PREVIEW)
    const proxy = proxyFor(op, [PREVIEW])
    const sentOn = locationOf(await arrive(proxy, await answerFor(victim)))
    const response = await arrive(attacker, sentOn)
    await expectRefused(attacker, response, { type: 'InvalidCheck' })
    expect(op.requests.token).toBe(0)
  })

  test('cannot sign other users in as the attacker', async () => {
    const attacker = deployment(op, PREVIEW)
    const victim = deployment(op, PREVIEW)
    const proxy = proxyFor(op, [PREVIEW])
    const url = await answerFor(attacker)
    const sentOn = locationOf(await arrive({ tab: proxy.open() }, url))
    await expectRefused(victim, await arrive(victim, sentOn), { type: 'InvalidCheck' })
  })

  test('receives no response for a forged Host header', async () => {
    const attacker = deployment(op, EVIL)
    const proxy = proxyFor(op, [PREVIEW])
    const victim = { ...proxy, tab: proxy.open() }
    // The victim opens the attacker's authorization URL, and consents.
    const response = await arrive(victim, await answerFor(attacker))
    await expectRefused(victim, response)
    expect(response.headers.get('location')).not.toContain('code=')
    expect(await attacker.tab.session()).toBeNull()
  })
})
