/** A certified provider that replaces refresh tokens at each use, and revokes the grant if one is used again. */
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AccessTokenOptions, AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { SECRET, silentLog } from '../../config.ts'
import { startCertified } from '../flows/certified-provider.mjs'
import { consent } from '../flows/consent.mjs'
import { forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'
import { cookiesOf, pass, requestWith } from './site.ts'

const CLIENT_SECRET = 'a secret of: 100% + ~&=/?'

const provider = await startCertified({
  port: undefined,
  clients: [
    {
      client_id: 'client',
      client_secret: CLIENT_SECRET,
      redirect_uris: ['https://app.test/auth/callback/op'],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  settings: {
    scopes: ['openid', 'calendar'],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: 120,
      RefreshToken: 600,
      IdToken: 600,
      Session: 600,
      Grant: 600,
      Interaction: 600,
    },
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
  },
})
afterAll(() => provider.close())
afterEach(() => vi.useRealTimers())

async function signedIn(place: Place) {
  const settings = settingsFor(place, await place.openAdapter())
  const { log, logger } = silentLog()
  const config: AuthConfig = {
    providers: [
      {
        id: 'op',
        name: 'Certified',
        type: 'oidc',
        issuer: provider.issuer,
        clientId: 'client',
        clientSecret: CLIENT_SECRET,
      },
    ],
    secret: SECRET,
    trustHost: true,
    fetch: (input, init) => fetch(input, init),
    logger,
    ...settings,
    tokens: { ...settings.tokens, revokeOnSignOut: 'session' },
  }
  const tab = browser(config)
  const transaction = await tab.begin('op')
  const url = await consent(transaction.url, { issuer: provider.issuer, declines: false })
  await transaction.comeBack({ url })
  const page = new URL('https://app.test/')
  const read = async (options?: AccessTokenOptions) => {
    const call = getAccessToken(requestWith(cookiesOf(tab)), config, 'op', options)
    const { value, headers } = await call
    for (const each of headers.getSetCookie()) tab.cookies.accept(each, page)
    return value
  }
  return { tab, log, read }
}

/** The API of the provider, called with a token. */
async function callApi(accessToken: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await fetch(`${provider.issuer}/me`, { headers })
  return response.ok ? response.json() : response.status
}

await forEachPlace((place) => {
  test('are refreshed again and again, and the API accepts each of them', async () => {
    const { read } = await signedIn(place)
    const seen = new Set<string>()
    for (let refreshes = 0; refreshes < 4; refreshes++) {
      const { accessToken } = await read(refreshes > 0 ? { refresh: 'now' } : {})
      seen.add(accessToken)
      expect(await callApi(accessToken)).toMatchObject({ sub: 'ada' })
    }
    expect(seen.size).toBe(4)
  })

  test('are refreshed once for parallel calls, so that the grant stays', async () => {
    const { read } = await signedIn(place)
    const before = provider.requests.length
    // Not with `refresh: 'now'`: a call that reads later, with a small pool of connections, would refresh the new token.
    pass(100)
    const tokens = await Promise.all(Array.from({ length: 20 }, () => read()))
    const requests = provider.requests.slice(before).filter((path) => path === '/token')
    expect(requests).toHaveLength(1)
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
    const { accessToken } = await read({ refresh: 'now' })
    expect(await callApi(accessToken)).toMatchObject({ sub: 'ada' })
  })

  test('are revoked at the sign-out if they belong to the session', async () => {
    const { tab, log, read } = await signedIn(place)
    const { accessToken } = await read()
    await tab.post('signout')
    expect(log.lines).toEqual([])
    // The provider revokes the grant of a refresh token as a whole.
    const answer = await callApi(accessToken)
    if (place.where === 'account') expect(answer).toMatchObject({ sub: 'ada' })
    else expect(answer).toBe(401)
  })
})
