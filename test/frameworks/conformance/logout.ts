/** Sign-out at the provider: from code of the application and by form, and the return from there. */
import { beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import { logoutToken } from '../../core/logout/logout-token.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import type { RawClient } from '../raw-client.ts'
import { storeOf } from '../../core/tokens/record-store.ts'
import type { Exceptions } from './index.ts'
import { follow } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Signs in a user who has one session at the provider. */
async function signInAt(op: Issuer, site: OpenSite, opSid: string): Promise<RawClient> {
  const user = site.user()
  const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
  const begun = await user.send(`${user.basePath}/signin/op`, { form })
  const person = { sub: opSid, email: `${opSid}@example.com`, sid: opSid }
  await follow(user, (await op.authorize(begun.headers.location ?? '', person)).url)
  expect((await user.send('/me')).body).not.toBe('null')
  return user
}

/** What the provider sends, from its server or in a frame, without cookies of the site. */
function noticeRows(open: Open, { rejectsForeignForms }: Exceptions): void {
  describe.each(['jwt', 'database'] as const)('%s sessions that the provider ends', (strategy) => {
    let site: OpenSite
    let op: Issuer
    beforeAll(async () => {
      op = await issuer()
      const adapter = MemoryAdapter()
      const storage = strategy === 'jwt' ? { store: storeOf(adapter) } : { adapter }
      site = await open({
        overrides: {
          ...storage,
          session: { strategy },
          providers: [oidc(op)],
          fetch: op.fetch,
          logout: { backChannel: ['op'], frontChannel: ['op'] },
        },
      })
    })

    function notify(form: Record<string, string>, headers: Record<string, string> = {}) {
      const user = site.user()
      const path = `${user.basePath}/backchannel-logout/op`
      return user.send(path, { form, headers, initiator: 'server' })
    }

    /** With the header that the guide adds where the framework rejects forms without it. */
    async function notifyBehindProxy(form: Record<string, string>) {
      if (!rejectsForeignForms) return notify(form)
      expect((await notify(form)).status).toBe(403)
      return notify(form, { origin: site.origin })
    }

    test('by a logout token have ended with the next request', async () => {
      const user = await signInAt(op, site, 'ada')
      const other = await signInAt(op, site, 'grace')
      const answer = await notifyBehindProxy({
        logout_token: await logoutToken(op, { sid: 'ada' }),
      })
      expect([answer.status, answer.body, answer.setCookies]).toEqual([200, '', []])
      expect(answer.headers['cache-control']).toContain('no-store')
      expect((await user.send('/me')).body).toBe('null')
      expect((await other.send('/me')).body).not.toBe('null')
    })

    test('continue if the token is not valid', async () => {
      const user = await signInAt(op, site, 'mary')
      const tokens = [await logoutToken(op, { sid: 'mary', aud: 'other' }), 'no token', '']
      for (const logout_token of tokens) {
        const answer = await notifyBehindProxy({ logout_token })
        expect([answer.status, JSON.parse(answer.body)]).toEqual([
          400,
          { error: 'invalid_request' },
        ])
      }
      expect((await user.send('/me')).body).not.toBe('null')
    })

    test('in a frame have ended with the next request', async () => {
      const user = await signInAt(op, site, 'ida')
      const frame = site.user()
      const query = new URLSearchParams({ iss: op.url, sid: 'ida' })
      const answer = await frame.send(`${frame.basePath}/frontchannel-logout/op?${query}`, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
      })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-security-policy']).toContain(`frame-ancestors ${op.url}`)
      expect(answer.headers['x-frame-options']).toBeUndefined()
      expect((await user.send('/me')).body).toBe('null')
    })
  })
}

/** Sign-out at the provider, and what the provider sends. */
export function logoutRows(open: Open, exceptions: Exceptions): void {
  noticeRows(open, exceptions)

  describe('a federated sign-out', () => {
    let site: OpenSite
    let op: Issuer
    beforeAll(async () => {
      op = await issuer()
      op.misbehaviour.discovery = (metadata) => ({
        ...metadata,
        end_session_endpoint: `${op.url}/end-session`,
      })
      const overrides = { providers: [oidc(op)], fetch: op.fetch, logout: {} }
      site = await open({ overrides })
    })

    const signedIn = () => signInAt(op, site, 'ada')

    /** Returns from the provider, and where the user is then. */
    async function comeBack(user: RawClient, location: string | undefined) {
      const { origin, pathname, searchParams } = new URL(location ?? '')
      expect(origin + pathname).toBe(`${op.url}/end-session`)
      expect(searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
      const back = new URL(searchParams.get('post_logout_redirect_uri') ?? '')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return follow(user, back.href)
    }

    test('from code of the application continues at the provider', async () => {
      const user = await signedIn()
      const headers = { referer: `${site.origin}/page` }
      const left = await user.send('/logout?federated', { form: {}, headers })
      expect(left.status).toBe(303)
      expect((await user.send('/me')).body).toBe('null')
      const back = await comeBack(user, left.headers.location)
      expect(back.status).toBe(302)
      expect(new URL(back.headers.location ?? '').pathname).toBe('/page')
    })

    test('by form continues at the provider', async () => {
      const user = await signedIn()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page', federated: 'true' }
      const left = await user.send(`${user.basePath}/signout`, { form })
      const back = await comeBack(user, left.headers.location)
      expect(new URL(back.headers.location ?? '').pathname).toBe('/page')
    })

    test('without a state shows that the user has signed out', async () => {
      const user = await signedIn()
      await user.send('/logout?federated', { form: {} })
      const back = await user.send(`${user.basePath}/post-logout`)
      expect([back.status, back.body.includes('You have signed out')]).toEqual([200, true])
    })
  })
}
