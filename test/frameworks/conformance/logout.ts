/** Sign-out at the provider: from code of the application and by form, and the return from there. */
import { beforeAll, describe, expect, test } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import type { RawClient } from '../raw-client.ts'
import { follow } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Sign-out at the provider. */
export function logoutRows(open: Open): void {
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

    async function signedIn(): Promise<RawClient> {
      const user = site.user()
      const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
      const begun = await user.send(`${user.basePath}/signin/op`, { form })
      await follow(user, (await op.authorize(begun.headers.location ?? '')).url)
      expect((await user.send('/me')).body).not.toBe('null')
      return user
    }

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
