/** A sign-out deletes the tokens that are stored with the session, and revokes them if the configuration says so. */
import { afterEach, expect, test, vi } from 'vitest'
import { getAccessToken } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { SESSION } from '../../sessions.ts'
import { governSessions, revokeOtherSessions } from '../../../src/sessions.ts'
import { dump, forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'
import { ownersOf } from './record-store.ts'
import { cookiesOf, pass, requestWith, TOKEN } from './site.ts'

afterEach(() => vi.useRealTimers())

interface Options {
  readonly answer?: () => Response | Promise<Response>
  /** Before the response to a refresh arrives. */
  readonly onRefresh?: () => Promise<unknown>
  readonly tokens?: AuthConfig['tokens']
}

async function openIn(
  place: Place,
  {
    answer,
    onRefresh = async () => undefined,
    tokens = { revokeOnSignOut: 'session' },
  }: Options = {},
) {
  const op = await issuer({
    algorithm: 'ES256',
    refreshTokens: 'rotated',
    accessTokenLifetime: 600,
  })
  const adapter = await place.openAdapter()
  const revoked: URLSearchParams[] = []
  const issued: unknown[] = []
  const settings = settingsFor(place, adapter)
  const { config, log } = configFor(op, {
    providers: [oidc(op, { revocation: `${op.url}/revoke` })],
    async fetch(input, init) {
      const request = new Request(input, init)
      if (!request.url.endsWith('/revoke')) {
        const isRefresh = init?.body instanceof URLSearchParams && init.body.has('refresh_token')
        const response = await op.fetch(request)
        if (!isRefresh) return response
        const { refresh_token } = await response.clone().json()
        issued.push(refresh_token)
        await onRefresh()
        return response
      }
      revoked.push(new URLSearchParams(await request.text()))
      return answer?.() ?? new Response()
    },
    ...settings,
    tokens: { ...settings.tokens, ...tokens },
  })
  const tab = browser(config, { issuer: op })
  await tab.signIn('op')
  const read = async () => getAccessToken(requestWith(cookiesOf(tab)), config, 'op')
  return { tab, log, revoked, issued, adapter, read }
}

await forEachPlace(
  (place) => {
    const signedIn = (options?: Options) => openIn(place, options)

    test('are revoked after the sign-out', async () => {
      const { tab, revoked } = await signedIn()
      await tab.post('signout')
      expect(await tab.session()).toBeNull()
      expect(revoked).toHaveLength(1)
      expect(revoked[0]?.get('token_type_hint')).toBe('refresh_token')
      expect(revoked[0]?.get('token')).toMatch(TOKEN)
    })

    test('are revoked at a provider that responds with 204', async () => {
      const { tab, revoked, log } = await signedIn({
        answer: () => new Response(null, { status: 204 }),
      })
      await tab.post('signout')
      expect(revoked).toHaveLength(1)
      expect(log.lines.map(([, code]) => code)).not.toContain('token-not-revoked')
    })

    test('are deleted, and not revoked, by default', async () => {
      const { tab, revoked, adapter } = await signedIn({ tokens: {} })
      expect((await dump(adapter)).includes('"tokens:')).toBe(place.where === 'store')
      expect(cookiesOf(tab).includes('lib.tokens.')).toBe(place.where === 'cookie')
      await tab.post('signout')
      expect(revoked).toEqual([])
      expect(await dump(adapter)).not.toContain('"tokens:')
      expect(cookiesOf(tab)).not.toContain('lib.tokens.')
      expect(tab.cookies.get(SESSION)).toBeUndefined()
    })

    test.each<[string, () => Response | Promise<Response>]>([
      ['responds with 503', () => new Response('Down', { status: 503 })],
      ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ])('do not keep the user signed in if the provider %s', async (_what, answer) => {
      const { tab, log } = await signedIn({ answer })
      const response = await tab.post('signout')
      expect(response.status).toBe(302)
      expect(await tab.session()).toBeNull()
      expect(log.lines).toContainEqual(['warn', 'token-not-revoked', expect.any(String)])
    })

    test.each(['before', 'after'])(
      'are revoked if the response to a refresh arrives %s the sign-out',
      async (when) => {
        let signOut: Promise<unknown> | undefined
        const site = await signedIn({
          async onRefresh() {
            if (when === 'before') return
            signOut = site.tab.post('signout')
            // The session ends; then the sign-out waits for the tokens.
            await new Promise((resolve) => void setTimeout(resolve, 100))
          },
        })
        pass(600)
        // The browser does not receive the cookies of this response.
        await site.read()
        await (signOut ?? site.tab.post('signout'))
        expect(site.issued).toHaveLength(1)
        expect(site.revoked.map((body) => body.get('token'))).toEqual(site.issued)
      },
    )
  },
  ['store', 'cookie'],
)

await forEachPlace(
  (place) => {
    /** Two browsers in which Ada is signed in, and the number of records with tokens. */
    async function twoBrowsers(session: AuthConfig['session'] = {}) {
      const op = await issuer({ algorithm: 'ES256' })
      const adapter = await place.openAdapter()
      const settings = settingsFor(place, adapter)
      const revocable = place.strategy === 'jwt' ? { revocation: {} } : {}
      const { config, log } = configFor(op, {
        ...settings,
        session: { ...settings.session, ...revocable, ...session },
      })
      const tabs = [browser(config, { issuer: op }), browser(config, { issuer: op })] as const
      for (const tab of tabs) await tab.signIn('op')
      const user = await adapter.getUserByEmail?.('ada@example.com')
      const [owner = `user:${user?.id}`] = user ? [] : ownersOf(adapter)
      const count = async () => {
        const records = (await adapter.listRecords?.(owner)) ?? []
        return records.filter(({ key }) => key.startsWith('tokens:')).length
      }
      return { config, log, tabs, count, userId: owner.slice('user:'.length) }
    }

    test.each<[string, AuthConfig['session']]>([
      ['without a list of sessions', {}],
      ['with one', { devices: 'listed' }],
    ])('are deleted with all sessions of the user, %s', async (_what, session) => {
      const { config, tabs, count, userId } = await twoBrowsers(session)
      expect(await count()).toBe(2)
      await governSessions(config).revokeAll('another')
      expect(await count()).toBe(2)
      await governSessions(config).revokeAll(userId)
      expect(await count()).toBe(0)
      expect(await tabs[0].session()).toBeNull()
    })

    test('of the other sessions are deleted with them, and those of the own session stay', async () => {
      const { config, tabs, count } = await twoBrowsers()
      const headers = {
        cookie: cookiesOf(tabs[0]),
        host: 'app.test',
        origin: 'https://app.test',
        'sec-fetch-site': 'same-origin',
      }
      await revokeOtherSessions(new Request('https://app.test/', { headers }), config)
      expect(await count()).toBe(1)
      const { value } = await getAccessToken(requestWith(cookiesOf(tabs[0])), config, 'op')
      expect(value.accessToken).toMatch(TOKEN)
    })
  },
  ['store'],
)
