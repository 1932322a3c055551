/** Tenants that share a database, a secret, and the id of a provider: each has an issuer of its own. */
import { afterEach, expect, test, vi } from 'vitest'
import { seal } from '../../../src/core/crypto/seal.ts'
import { getAccessToken, getAccessTokenFor } from '../../../src/index.ts'
import type { AccessTokenOptions, Adapter, AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer } from '../../../src/testing/index.ts'
import { configFor, SECRET } from '../../config.ts'
import type { Log } from '../../config.ts'
import { forEachPlace, settingsFor } from './places.ts'
import { cookiesOf, pass, requestWith, TOKEN } from './site.ts'

afterEach(() => vi.useRealTimers())

interface Tenant {
  readonly op: Issuer
  readonly config: AuthConfig
  readonly tab: Browser
  readonly log: Log
  /** The refresh tokens that its issuer has received. */
  readonly received: string[]
  /** Reads the token with the cookies of a browser. */
  readonly read: (from?: Browser, options?: AccessTokenOptions) => Promise<string>
}

type Settings = ReturnType<typeof settingsFor>

async function openTenant(url: string, settings: Settings): Promise<Tenant> {
  const op = await issuer({
    url,
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const received: string[] = []
  const { config, log } = configFor(op, {
    ...settings,
    fetch(input, init) {
      const sent = init?.body instanceof URLSearchParams ? init.body.get('refresh_token') : null
      if (sent) received.push(sent)
      return op.fetch(input, init)
    },
  })
  const tab = browser(config, { issuer: op })
  const read: Tenant['read'] = async (from = tab, options = {}) => {
    const answer = await getAccessToken(requestWith(cookiesOf(from)), config, 'op', options)
    for (const each of answer.headers.getSetCookie())
      from.cookies.accept(each, new URL('https://app.test/'))
    return answer.value.accessToken
  }
  return { op, config, tab, log, received, read }
}

async function openTenants(settings: Settings): Promise<[Tenant, Tenant]> {
  return [
    await openTenant('https://one.test', settings),
    await openTenant('https://two.test', settings),
  ]
}

async function accountOfAda(adapter: Adapter) {
  const account = await adapter.getAccount?.('ada', 'op')
  if (!account) throw new Error('No account.')
  return account
}

await forEachPlace((place) => {
  const refusal = { code: place.where === 'account' ? 'reconnect' : 'not_connected' }

  test('read and send no token of each other in a session that both accept', async () => {
    const [one, two] = await openTenants(settingsFor(place, await place.openAdapter()))
    await one.tab.signIn('op')
    const cookie = cookiesOf(one.tab)
    const readAtTwo = (options: AccessTokenOptions) =>
      getAccessToken(requestWith(cookie), two.config, 'op', options)
    await expect(readAtTwo({})).rejects.toMatchObject(refusal)
    await expect(readAtTwo({ refresh: 'now' })).rejects.toMatchObject(refusal)
    pass(600)
    await expect(readAtTwo({})).rejects.toMatchObject(refusal)
    expect(two.received).toEqual([])
    // Nothing was deleted.
    expect(await one.read()).toMatch(TOKEN)
    expect(one.received).toHaveLength(1)
  })
})

await forEachPlace(
  (place) => {
    test('read no token of each other in a job', async () => {
      const adapter = await place.openAdapter()
      const [one, two] = await openTenants(settingsFor(place, adapter))
      await one.tab.signIn('op')
      const { userId } = await accountOfAda(adapter)
      const owner = { userId, provider: 'op' }
      await expect(getAccessTokenFor(two.config, owner)).rejects.toMatchObject({
        code: 'reconnect',
      })
      expect(two.log.lines).toContainEqual(['warn', 'token-not-opened', expect.any(String)])
      expect((await getAccessTokenFor(one.config, owner)).accessToken).toMatch(TOKEN)
    })

    test('send no refresh token of each other after the same user has signed in at both', async () => {
      const adapter = await place.openAdapter()
      const [one, two] = await openTenants(settingsFor(place, adapter))
      await one.tab.signIn('op')
      const first = await one.read()
      // The row keeps the refresh token that this response lacks.
      two.op.misbehaviour.token = ({ refresh_token: _omitted, ...body }) => body
      await two.tab.signIn('op')
      const second = await two.read()
      expect(second).not.toBe(first)
      pass(600)
      await expect(two.read()).rejects.toMatchObject({ code: 'reconnect' })
      expect(two.received).toEqual([])
      // Its refresh token is still that of the first tenant, so that it receives a new access token.
      expect(await one.read(two.tab)).toMatch(TOKEN)
    })

    test('may read values of a release that stored no issuer', async () => {
      const adapter = await place.openAdapter()
      const [one] = await openTenants(settingsFor(place, adapter))
      await one.tab.signIn('op')
      const before = await accountOfAda(adapter)
      const sealing = { secrets: [SECRET], salt: 'lib.tokens', family: 'internal' } as const
      const claims = { provider: 'op', account: 'ada', column: 'access_token', value: 'old' }
      const access_token = `lib1.${await seal(claims, sealing)}`
      await adapter.updateAccount?.({ provider: 'op', providerAccountId: 'ada', access_token })
      expect(await one.read()).toBe('old')
      pass(600)
      expect(await one.read()).toMatch(TOKEN)
      expect((await accountOfAda(adapter)).refresh_token).not.toBe(before.refresh_token)
    })
  },
  ['account'],
)
