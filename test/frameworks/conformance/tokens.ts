/** Access tokens of a provider, with tokens in cookies: the wrapper has to set those of a refreshed token. */
import { beforeAll, expect, test } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { follow } from './site.ts'
import type { Open, OpenSite } from './site.ts'

/** Access tokens of a provider. */
export function tokenRows(open: Open): void {
  let site: OpenSite
  let op: Awaited<ReturnType<typeof issuer>>
  beforeAll(async () => {
    // Valid for less than `refreshBefore`, so that each call refreshes.
    op = await issuer({ refreshTokens: 'rotated', accessTokenLifetime: 30 })
    site = await open({
      overrides: { providers: [oidc(op)], fetch: op.fetch, tokens: { refreshBefore: 60 } },
    })
  })

  async function signedIn() {
    const user = site.user()
    const form = { csrfToken: await user.csrfToken(), callbackUrl: '/page' }
    const begun = await user.send(`${user.basePath}/signin/op`, { form })
    await follow(user, (await op.authorize(begun.headers.location ?? '')).url)
    const token = async () => JSON.parse((await user.send('/token')).body)
    return { user, token }
  }

  test('refreshes an access token, and stores the new one in cookies', async () => {
    const { token } = await signedIn()
    const tokens = [await token(), await token(), await token()]
    expect(tokens).toEqual(tokens.map(() => expect.objectContaining({ tokenType: 'Bearer' })))
    // A rotated refresh token that was not stored would have ended the access.
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(3)
  })

  test('has no access token for a visitor', async () => {
    const { body } = await site.user().send('/token')
    expect(JSON.parse(body)).toEqual({ type: 'AccessTokenError', code: 'not_signed_in' })
  })

  test('requests scopes for the connected account', async () => {
    const { user, token } = await signedIn()
    const asked = await user.send('/scopes', { form: {} })
    expect(asked.status).toBe(303)
    const granted = await op.authorize(asked.headers.location ?? '')
    const back = await follow(user, granted.url)
    expect(new URL(back.headers.location ?? '', site.origin).pathname).toBe('/page')
    expect((await token()).scope).toContain('calendar')
  })
}
