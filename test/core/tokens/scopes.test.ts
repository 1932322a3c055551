import { Hono } from 'hono'
import { expect, test } from 'vitest'
import Lib from '../../../src/frameworks/hono/index.ts'
import type { AuditEvent } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Values } from '../../../src/testing/index.ts'
import { configFor, oidc } from '../../config.ts'
import { SESSION } from '../../sessions.ts'
import { forEachPlace, settingsFor } from './places.ts'
import type { Place } from './places.ts'

async function open(place: Place) {
  const op = await issuer({ algorithm: 'ES256', refreshTokens: 'rotated' })
  const signIns: string[] = []
  const audited: AuditEvent[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op)],
    events: { signIn: () => void signIns.push('signIn') },
    audit: { write: (event) => void audited.push(event) },
    ...settingsFor(place, await place.openAdapter()),
  })
  const lib = Lib({ ...config, basePath: '/auth' })
  const app = new Hono()
  app.onError((error, c) =>
    c.json({ type: 'type' in error && error.type, code: 'code' in error && error.code }, 400),
  )
  app.use(lib.session)
  app.post('/scopes', (c) => lib.requestScopes(c, 'op', ['calendar'], { redirectTo: '/calendar' }))
  app.get('/token', async (c) => c.json(await lib.getAccessToken(c, 'op')))
  const tab = browser(config, { issuer: op })
  const origin = 'https://app.test'

  async function send(path: string, method: 'GET' | 'POST' = 'GET'): Promise<Response> {
    const url = new URL(path, origin)
    const cookie = tab.cookies.header({ url, method, initiator: 'same-site' }) ?? ''
    const headers = { cookie, host: 'app.test', origin, 'sec-fetch-site': 'same-origin' }
    const response = await app.request(new Request(url, { method, headers }))
    for (const each of response.headers.getSetCookie()) tab.cookies.accept(each, url)
    return response
  }

  /** Presses the button, and answers the question of the provider. */
  async function grant(person?: Values): Promise<Response> {
    const asked = await send('/scopes', 'POST')
    const { url } = await op.authorize(asked.headers.get('location') ?? '', person)
    return tab.request(url, { initiator: 'cross-site' })
  }
  const token = async () => (await send('/token')).json()
  return { op, tab, log, signIns, audited, send, grant, token }
}

const sessionOf = (tab: Browser) => tab.cookies.get(SESSION)?.value

await forEachPlace((place) => {
  test('requestScopes adds scopes to the same account in the same session', async () => {
    const { tab, signIns, audited, send, grant, token } = await open(place)
    await tab.signIn('op')
    const [before, session] = [await token(), sessionOf(tab)]
    const asked = await send('/scopes', 'POST')
    expect(asked.status).toBe(303)
    const sent = new URL(asked.headers.get('location') ?? '').searchParams
    expect(sent.get('scope')).toBe('openid profile email calendar')
    const response = await grant()
    expect(response.headers.get('location')).toBe('https://app.test/calendar')
    expect(sessionOf(tab)).toBe(session)
    expect(signIns).toEqual(['signIn'])
    const after = await token()
    expect(after.accessToken).not.toBe(before.accessToken)
    expect(after.scope).toEqual(['openid', 'profile', 'email', 'calendar'])
    expect(audited.at(-1)).toMatchObject({
      type: 'scope.granted',
      outcome: 'success',
      actor: { kind: 'user' },
      target: { kind: 'account', id: 'ada' },
      provider: 'op',
    })
  })

  test('requestScopes rejects another account, and stores nothing', async () => {
    const { tab, grant, token } = await open(place)
    await tab.signIn('op')
    const before = await token()
    const response = await grant({ sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    expect(response.headers.get('location')).toContain('error=AccountNotLinked')
    expect(await token()).toEqual(before)
  })

  test('requestScopes rejects another session, and stores nothing', async () => {
    const { op, tab, send, token } = await open(place)
    await tab.signIn('op')
    const asked = await send('/scopes', 'POST')
    const { url } = await op.authorize(asked.headers.get('location') ?? '')
    await tab.post('signout')
    await tab.signIn('op', { sub: 'bob', name: 'Bob', email: 'bob@example.com' })
    const before = await token()
    const response = await tab.request(url, { initiator: 'cross-site' })
    expect(response.headers.get('location')).toContain('error=AccountNotLinked')
    expect(await token()).toEqual(before)
  })

  test('requestScopes returns with an error if the user declines', async () => {
    const { op, tab, grant, token } = await open(place)
    await tab.signIn('op')
    const before = await token()
    op.misbehaviour.authorization = (parameters) => {
      parameters.delete('code')
      parameters.set('error', 'access_denied')
      return parameters
    }
    const response = await grant()
    expect(response.headers.get('location')).toBe('https://app.test/calendar?error=AccessDenied')
    expect(await token()).toEqual(before)
  })

  test('requestScopes stores what was granted, and keeps the refresh token if none is returned', async () => {
    const { op, tab, grant, send, token } = await open(place)
    await tab.signIn('op')
    op.misbehaviour.token = ({ refresh_token: _omitted, ...body }) => ({ ...body, scope: 'openid' })
    await grant()
    expect((await token()).scope).toEqual(['openid'])
    op.misbehaviour.token = ({ scope: _omitted, ...body }) => body
    await grant()
    expect((await token()).scope).toContain('calendar')
    expect((await send('/token')).status).toBe(200)
  })

  test('requestScopes in two tabs at the same time', async () => {
    const { op, tab, send, token, signIns } = await open(place)
    await tab.signIn('op')
    const session = sessionOf(tab)
    const asked = [await send('/scopes', 'POST'), await send('/scopes', 'POST')]
    const urls = await Promise.all(
      asked.map(async ({ headers }) => (await op.authorize(headers.get('location') ?? '')).url),
    )
    const answers = await Promise.all(
      urls.map((url) => tab.request(url, { initiator: 'cross-site' })),
    )
    for (const { headers } of answers)
      expect(headers.get('location')).toBe('https://app.test/calendar')
    expect(sessionOf(tab)).toBe(session)
    expect(signIns).toEqual(['signIn'])
    expect((await token()).scope).toContain('calendar')
  })

  test('requestScopes is an error for a visitor', async () => {
    const { send } = await open(place)
    const response = await send('/scopes', 'POST')
    expect(await response.json()).toEqual({ type: 'AccessTokenError', code: 'not_signed_in' })
  })
})
