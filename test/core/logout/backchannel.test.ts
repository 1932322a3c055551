/** Back-channel logout: which tokens of a provider end which sessions. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Auth, untypedLogoutTokens } from '../../../src/index.ts'
import type { AuditEvent, AuthConfig } from '../../../src/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Issuer } from '../../../src/testing/index.ts'
import { configFor, oidc, SECRET } from '../../config.ts'
import { forEachPlace } from '../tokens/places.ts'
import type { Place } from '../tokens/places.ts'
import { claimsFor, EVENT, logoutToken } from './logout-token.ts'

const MEMORY = Symbol.for('lib-auth.process.1')

afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(globalThis, MEMORY)
})

type Values = Record<string, unknown>
type Overrides = NonNullable<Parameters<typeof configFor>[1]>
type ProviderOptions = Parameters<typeof oidc>[1]

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

function pass(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + time * 1000 })
}

interface ChannelSite {
  readonly op: Issuer
  readonly config: AuthConfig
  readonly log: ReturnType<typeof configFor>['log']
  readonly events: AuditEvent[]
  readonly open: (person?: Values) => Promise<Browser>
  readonly send: (token: string | URLSearchParams, provider?: string) => Promise<Response>
}

async function site(
  overrides: Overrides = {},
  options: ProviderOptions = {},
): Promise<ChannelSite> {
  const op = await issuer({ algorithm: 'ES256' })
  const events: AuditEvent[] = []
  const { config, log } = configFor(op, {
    providers: [oidc(op, options)],
    logout: { backChannel: ['op'] },
    audit: { write: (event) => void events.push(event) },
    ...(overrides.adapter ? {} : { store: MemoryAdapter() }),
    ...overrides,
  })
  return {
    op,
    config,
    log,
    events,
    async open(person = { sub: 'ada', sid: 'op session of Ada' }) {
      const tab = browser(config, { issuer: op })
      await tab.signIn('op', person)
      expect(await tab.session()).not.toBeNull()
      return tab
    },
    send(token, provider = 'op') {
      const body = typeof token === 'string' ? new URLSearchParams({ logout_token: token }) : token
      const url = `https://app.test/auth/backchannel-logout/${provider}`
      return Auth(new Request(url, { method: 'POST', body }), config)
    },
  }
}

async function expectRejected({ events }: ChannelSite, response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_request' }])
  expect(response.headers.get('cache-control')).toContain('no-store')
  expect(response.headers.getSetCookie()).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'logout.received', outcome: 'denied' })
}

/** The configuration of each strategy and storage, with one storage for sessions and records. */
async function settingsOf({ strategy, openAdapter }: Place): Promise<Overrides> {
  const adapter = await openAdapter()
  return { adapter, session: { strategy }, tokens: { where: 'store' } }
}

await forEachPlace(
  (place) => {
    test('a token with sid ends the sessions of it in every browser, and no others', async () => {
      const revoked: unknown[] = []
      const events = { revokeSession: (message: unknown) => void revoked.push(message) }
      const opened = await site({ ...(await settingsOf(place)), events })
      const tabs = [await opened.open(), await opened.open()]
      const other = await opened.open({ sub: 'ada', sid: 'another op session' })
      const grace = await opened.open({ sub: 'grace', email: 'grace@example.com', sid: 'of Grace' })
      const response = await opened.send(await logoutToken(opened.op))
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('cache-control')).toContain('no-store')
      for (const tab of tabs) expect(await tab.session()).toBeNull()
      for (const tab of [other, grace]) expect(await tab.session()).not.toBeNull()
      const ended = opened.events.filter(({ type }) => type === 'session.ended')
      expect(ended).toHaveLength(2)
      expect(ended[0]).toMatchObject({ actor: { kind: 'provider' }, reason: 'provider' })
      const message = { userId: expect.any(String), sid: expect.any(String), reason: 'provider' }
      expect(revoked).toEqual([message, message])
      expect(opened.log.errors).toEqual([])
    })

    test('a token with sub ends all sessions of the user that began before it', async () => {
      const opened = await site(await settingsOf(place))
      const before = [await opened.open(), await opened.open({ sub: 'ada', sid: 'another' })]
      const token = await logoutToken(opened.op, { sid: undefined, sub: 'ada' })
      pass(5)
      const after = await opened.open()
      expect((await opened.send(token)).status).toBe(200)
      for (const tab of before) expect(await tab.session()).toBeNull()
      expect(await after.session()).not.toBeNull()
    })

    test('a token of a user who is not signed in is accepted', async () => {
      const opened = await site(await settingsOf(place))
      const tab = await opened.open()
      const token = await logoutToken(opened.op, { sid: 'unknown', sub: 'nobody' })
      expect((await opened.send(token)).status).toBe(200)
      expect(await tab.session()).not.toBeNull()
    })

    test('a session that was signed out leaves no records', async () => {
      const settings = await settingsOf(place)
      const opened = await site(settings)
      const tab = await opened.open()
      await tab.post('signout')
      const { adapter } = settings
      if (!adapter || typeof adapter === 'function') throw new Error('No adapter.')
      expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
      expect(opened.events.filter(({ type }) => type === 'session.ended')).toEqual([])
    })
  },
  ['store'],
)

describe('a logout token is rejected, and changes nothing,', () => {
  test.each<[string, Values, Values?]>([
    ['of type JWT', {}, { typ: 'JWT' }],
    ['without a type', {}, { typ: undefined }],
    ['of the type of an access token', {}, { typ: 'at+jwt' }],
    ['of another issuer', { iss: 'https://other.test' }],
    ['without an issuer', { iss: undefined }],
    ['for another client', { aud: 'other' }],
    ['for a further client that is not trusted', { aud: ['client', 'other'] }],
    ['without an audience', { aud: undefined }],
    ['that is eleven minutes old', { iat: seconds() - 660 }],
    ['that was issued in two minutes', { iat: seconds() + 120 }],
    ['without iat', { iat: undefined }],
    ['with an iat in text', { iat: String(seconds()) }],
    ['that has expired', { exp: seconds() - 120 }],
    ['without exp', { exp: undefined }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'https://other.test': {} } }],
    ['whose event is no object', { events: { [EVENT]: true } }],
    ['whose event is a list', { events: { [EVENT]: [] } }],
    ['with a nonce', { nonce: 'n' }],
    ['with a nonce that is null', { nonce: null }],
    ['without sub and sid', { sid: undefined }],
    ['with an empty sid', { sid: '' }],
    ['with a sid of 256 characters', { sid: 's'.repeat(256) }],
    ['with a sub that is a number', { sub: 1 }],
    ['without jti', { jti: undefined }],
    ['with a jti that is a number', { jti: 7 }],
    ['with another algorithm', {}, { alg: 'HS256' }],
    ['with the algorithm none', {}, { alg: 'none' }],
    ['with a critical header', {}, { crit: ['x'], x: 1 }],
    ['with an unknown key', {}, { kid: 'unknown' }],
  ])('%s', async (_, claims, header) => {
    const opened = await site()
    const tab = await opened.open()
    await expectRejected(opened, await opened.send(await logoutToken(opened.op, claims, header)))
    expect(await tab.session()).not.toBeNull()
  })

  test('whose signature is that of another key, missing or changed', async () => {
    const opened = await site()
    const tab = await opened.open()
    const token = await logoutToken(opened.op)
    const [header, claims, signature] = token.split('.')
    const other = await logoutToken(await issuer({ algorithm: 'ES256' }))
    const changed = Buffer.from(JSON.stringify(claimsFor(opened.op, { jti: 'x' }))).toString(
      'base64url',
    )
    for (const forged of [
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}.${changed}.${signature}`,
      other,
      `${token}.a.b`,
      'no token',
      '',
      `${header}.bm8.${signature}`,
    ])
      await expectRejected(opened, await opened.send(forged))
    expect(await tab.session()).not.toBeNull()
  })

  test('if it is repeated, missing, JSON, or in the query', async () => {
    const opened = await site()
    const tab = await opened.open()
    const token = await logoutToken(opened.op)
    await expectRejected(opened, await opened.send(new URLSearchParams({ other: token })))
    const twice = new URLSearchParams([
      ['logout_token', token],
      ['logout_token', token],
    ])
    expect((await opened.send(twice)).status).toBe(400)
    const url = `https://app.test/auth/backchannel-logout/op?logout_token=${token}`
    await expectRejected(opened, await Auth(new Request(url, { method: 'POST' }), opened.config))
    const json = await Auth(
      new Request('https://app.test/auth/backchannel-logout/op', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ logout_token: token }),
      }),
      opened.config,
    )
    await expectRejected(opened, json)
    expect(await tab.session()).not.toBeNull()
  })

  test('if it was used before', async () => {
    const opened = await site()
    const token = await logoutToken(opened.op)
    expect((await opened.send(token)).status).toBe(200)
    await expectRejected(opened, await opened.send(token))
  })

  test('if its sid and its sub are of different users', async () => {
    const opened = await site()
    const ada = await opened.open()
    const grace = await opened.open({ sub: 'grace', sid: 'of Grace' })
    const token = await logoutToken(opened.op, { sid: 'of Grace', sub: 'ada' })
    await expectRejected(opened, await opened.send(token))
    for (const tab of [ada, grace]) expect(await tab.session()).not.toBeNull()
  })

  test('if it is an ID token', async () => {
    const opened = await site()
    let idToken = ''
    opened.op.misbehaviour.signed = (token) => (idToken = token)
    const tab = await opened.open()
    await expectRejected(opened, await opened.send(idToken))
    expect(await tab.session()).not.toBeNull()
  })
})

test('a logout token is not accepted as an ID token', async () => {
  const opened = await site()
  opened.op.misbehaviour.idToken = ({ header, claims }) => ({
    header: { ...header, typ: 'logout+jwt' },
    claims: { ...claims, events: { [EVENT]: {} } },
  })
  const tab = browser(opened.config, { issuer: opened.op })
  await tab.signIn('op')
  expect(await tab.session()).toBeNull()
})

describe('a logout token is accepted', () => {
  test.each<[string, Values, Values?]>([
    ['with its type in capitals', {}, { typ: 'LOGOUT+JWT' }],
    ['with a full media type', {}, { typ: 'application/logout+jwt' }],
    ['for a list of one client', { aud: ['client'] }],
    ['with sub and sid', { sub: 'ada' }],
    ['that is nine minutes old', { iat: seconds() - 540 }],
  ])('%s', async (_, claims, header) => {
    const opened = await site()
    const tab = await opened.open()
    expect((await opened.send(await logoutToken(opened.op, claims, header))).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test.each<[string, Values, Values]>([
    ['without a type', {}, { typ: undefined }],
    ['of type JWT', {}, { typ: 'JWT' }],
    ['without exp', { exp: undefined }, {}],
  ])('%s with [untypedLogoutTokens]', async (_, claims, header) => {
    const opened = await site({}, { [untypedLogoutTokens]: true })
    const tab = await opened.open()
    expect((await opened.send(await logoutToken(opened.op, claims, header))).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test('but not another type with [untypedLogoutTokens]', async () => {
    const opened = await site({}, { [untypedLogoutTokens]: true })
    const token = await logoutToken(opened.op, {}, { typ: 'at+jwt' })
    await expectRejected(opened, await opened.send(token))
  })

  test('with a trusted further audience', async () => {
    const opened = await site({}, { trustedAudiences: ['other'] })
    const token = await logoutToken(opened.op, { aud: ['client', 'other'] })
    expect((await opened.send(token)).status).toBe(200)
  })

  test('after the keys were rotated', async () => {
    const opened = await site()
    const tab = await opened.open()
    await opened.op.rotateKeys()
    expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test('with both, for a session whose id at the provider is unknown', async () => {
    const opened = await site()
    const tab = await opened.open({ sub: 'ada' })
    const token = await logoutToken(opened.op, { sub: 'ada', sid: 'some session' })
    expect((await opened.send(token)).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })
})

describe('503, and the same token again after it,', () => {
  test.each(['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'] as const)(
    'if the store fails in %s',
    async (method) => {
      const store = MemoryAdapter()
      const opened = await site({ store })
      const tab = await opened.open()
      const token = await logoutToken(opened.op)
      const works = store[method]
      Object.assign(store, { [method]: () => Promise.reject(new Error('down')) })
      expect((await opened.send(token)).status).toBe(503)
      Object.assign(store, { [method]: works })
      expect((await opened.send(token)).status).toBe(200)
      expect(await tab.session()).toBeNull()
    },
  )

  test('if the database fails', async () => {
    const adapter = MemoryAdapter()
    const opened = await site({ adapter })
    const tab = await opened.open()
    const token = await logoutToken(opened.op)
    const { deleteSession } = adapter
    Object.assign(adapter, { deleteSession: () => Promise.reject(new Error('down')) })
    expect((await opened.send(token)).status).toBe(503)
    Object.assign(adapter, { deleteSession })
    expect((await opened.send(token)).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test('if the keys were never read', async () => {
    const opened = await site()
    opened.op.misbehaviour.jwks = () => new Response(null, { status: 500 })
    const token = await logoutToken(opened.op)
    expect((await opened.send(token)).status).toBe(503)
    opened.op.reset()
    expect((await opened.send(token)).status).toBe(200)
  })

  test('if the keys of a provider that is down were read more than a day ago', async () => {
    const opened = await site()
    const tabs = [await opened.open(), await opened.open({ sub: 'ada', sid: 'another' })]
    const down = () => new Response(null, { status: 500 })
    Object.assign(opened.op.misbehaviour, { discovery: down, jwks: down })
    pass(23 * 60 * 60)
    expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
    pass(2 * 60 * 60)
    const token = await logoutToken(opened.op, { sid: 'another' })
    expect((await opened.send(token)).status).toBe(503)
    expect(await Promise.all(tabs.map(async (tab) => (await tab.session()) !== null))).toEqual([
      false,
      true,
    ])
    opened.op.reset()
    expect((await opened.send(token)).status).toBe(200)
    expect(await tabs[1]?.session()).toBeNull()
  })

  test('a sign-in that the provider could not end does not begin', async () => {
    for (const overrides of [{}, { adapter: MemoryAdapter() }]) {
      const store = MemoryAdapter()
      const opened = await site({ ...overrides, store })
      const { writeRecord } = store
      Object.assign(store, {
        writeRecord: (...[record, expected]: Parameters<NonNullable<typeof writeRecord>>) =>
          record.key.startsWith('op-')
            ? Promise.reject(new Error('down'))
            : writeRecord?.(record, expected),
      })
      const tab = browser(opened.config, { issuer: opened.op })
      const response = await tab.signIn('op')
      expect(response.headers.get('location')).toContain('error=')
      expect(await tab.session()).toBeNull()
    }
  })
})

/** A token whose claims are not those that were signed. */
async function changedToken(op: Issuer): Promise<string> {
  const [header, , signature] = (await logoutToken(op)).split('.')
  const claims = Buffer.from(JSON.stringify(claimsFor(op))).toString('base64url')
  return [header, claims, signature].join('.')
}

test.each<[string, (op: Issuer) => Promise<string>]>([
  ['with unknown keys', (op) => logoutToken(op, {}, { kid: crypto.randomUUID() })],
  ['with a known key, and the signature of another token', changedToken],
  ['with a known key, and the algorithm none', (op) => logoutToken(op, {}, { alg: 'none' })],
  ['with a known key, and the algorithm HS256', (op) => logoutToken(op, {}, { alg: 'HS256' })],
])(
  'a flood of forged tokens %s costs 100 verifications, and one request for keys',
  async (_, forge) => {
    const opened = await site()
    const tab = await opened.open()
    opened.op.reset()
    const tokens = await Promise.all(Array.from({ length: 1000 }, () => forge(opened.op)))
    // The limit does not recover meanwhile.
    pass(0)
    const statuses = new Map<number, number>()
    const before = process.cpuUsage()
    for (const token of tokens) {
      const { status } = await opened.send(token)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const { user, system } = process.cpuUsage(before)
    console.log(`1000 forged logout tokens: ${Math.round((user + system) / 1000)} ms of CPU`)
    expect(Object.fromEntries(statuses)).toEqual({ 400: 100, 429: 900 })
    expect(opened.op.requests.jwks).toBeLessThanOrEqual(1)
    expect(await tab.session()).not.toBeNull()
    const limited = await opened.send(tokens[0] ?? '')
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    pass(10)
    expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
  },
)

test('valid tokens are not limited', async () => {
  const opened = await site()
  for (let sent = 0; sent < 150; sent++)
    expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
})

test.each([
  ['GET', 'op', 405],
  ['HEAD', 'op', 405],
  ['POST', 'unknown', 404],
  ['POST', 'unlisted', 404],
])('%s backchannel-logout/%s answers with %i', async (method, id, status) => {
  const op = await issuer()
  const { config } = configFor(op, {
    providers: [oidc(op), oidc(op, { id: 'unlisted' })],
    logout: { backChannel: ['op'] },
    store: MemoryAdapter(),
  })
  const body =
    method === 'POST' ? new URLSearchParams({ logout_token: await logoutToken(op) }) : null
  const url = `https://app.test/auth/backchannel-logout/${id}`
  expect((await Auth(new Request(url, { method, ...(body && { body }) }), config)).status).toBe(
    status,
  )
})

test.each(['jwt', 'database'] as const)(
  'a %s session that was extended can be ended, and leads to the provider with its ID token',
  async (strategy) => {
    for (const end of ['by the provider', 'here'] as const) {
      vi.useRealTimers()
      const session = { strategy, maxAge: 30 * 86_400, updateAge: 86_400 }
      const opened = await site({ adapter: MemoryAdapter(), session })
      opened.op.misbehaviour.discovery = (metadata) => ({
        ...metadata,
        end_session_endpoint: `${opened.op.url}/end-session`,
      })
      const tab = await opened.open()
      for (let days = 0; days < 40; days += 10) {
        pass(10 * 86_400)
        expect(await tab.session()).not.toBeNull()
      }
      if (end === 'here') {
        const left = await tab.post('signout', { federated: 'true' })
        expect(left.headers.get('location')).toContain('id_token_hint=')
        continue
      }
      expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
      expect(await tab.session()).toBeNull()
    }
  },
)

describe('two clients at one issuer', () => {
  test('of two tenants end only their own sessions', async () => {
    const store = MemoryAdapter()
    const op = await issuer({ algorithm: 'ES256' })
    const tenant = (clientId: string) => {
      const { config } = configFor(op, {
        providers: [oidc(op, { clientId })],
        logout: { backChannel: ['op'] },
        store,
      })
      return config
    }
    const [one, two] = [tenant(op.clientId), tenant('other client')]
    const tab = browser(one, { issuer: op })
    await tab.signIn('op', { sub: 'ada', sid: 'op session of Ada' })
    const send = async (config: AuthConfig, aud: string) => {
      const body = new URLSearchParams({ logout_token: await logoutToken(op, { aud }) })
      const url = 'https://app.test/auth/backchannel-logout/op'
      return (await Auth(new Request(url, { method: 'POST', body }), config)).status
    }
    expect(await send(two, op.clientId)).toBe(400)
    expect(await send(two, 'other client')).toBe(200)
    expect(await tab.session()).not.toBeNull()
    expect(await send(one, op.clientId)).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test('with two ids and one client: the token of either ends the session', async () => {
    const op = await issuer({ algorithm: 'ES256' })
    const { config } = configFor(op, {
      providers: [oidc(op), oidc(op, { id: 'second' })],
      logout: { backChannel: ['op', 'second'] },
      store: MemoryAdapter(),
    })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op', { sub: 'ada', sid: 'op session of Ada' })
    const body = new URLSearchParams({ logout_token: await logoutToken(op) })
    const url = 'https://app.test/auth/backchannel-logout/second'
    expect((await Auth(new Request(url, { method: 'POST', body }), config)).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })
})

describe('a page in a frame of the provider', () => {
  async function frameSite(overrides: Overrides = {}) {
    const opened = await site({ logout: { frontChannel: ['op'] }, ...overrides })
    opened.op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      end_session_endpoint: 'https://login.issuer.test/end-session',
    })
    const load = (query: Record<string, string>, method = 'GET') =>
      Auth(
        new Request(`https://app.test/auth/frontchannel-logout/op?${new URLSearchParams(query)}`, {
          method,
        }),
        opened.config,
      )
    return { ...opened, load }
  }

  test('ends the session without cookies, and may be framed by the provider only', async () => {
    const { op, open, load } = await frameSite()
    const tab = await open()
    const other = await open({ sub: 'ada', sid: 'another' })
    const response = await load({ iss: op.url, sid: 'op session of Ada' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain(
      `frame-ancestors ${op.url} https://login.issuer.test`,
    )
    expect(response.headers.has('x-frame-options')).toBe(false)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await tab.session()).toBeNull()
    expect(await other.session()).not.toBeNull()
  })

  test.each<[string, Record<string, string>, string?]>([
    ['another issuer', { iss: 'https://other.test', sid: 'op session of Ada' }],
    ['an unknown session', { iss: 'https://issuer.test', sid: 'x' }],
    ['no issuer', { sid: 'op session of Ada' }],
    ['no session', { iss: 'https://issuer.test' }],
    ['HEAD', { iss: 'https://issuer.test', sid: 'op session of Ada' }, 'HEAD'],
  ])('does nothing with %s, and responds the same', async (_, query, method) => {
    const { open, load } = await frameSite()
    const tab = await open()
    const response = await load(query, method)
    expect(response.status).toBe(200)
    if (method !== 'HEAD')
      expect(await response.text()).toBe('<!doctype html><title>Signed out</title>')
    expect(await tab.session()).not.toBeNull()
  })

  test.each(['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'] as const)(
    'does not say that the session has ended while %s of the store fails',
    async (method) => {
      const store = MemoryAdapter()
      const { op, open, load } = await frameSite({ store })
      const tab = await open()
      const works = store[method]
      Object.assign(store, { [method]: () => Promise.reject(new Error('down')) })
      const query = { iss: op.url, sid: 'op session of Ada' }
      const response = await load(query)
      expect(response.headers.get('location')).toContain('error=TemporarilyUnavailable')
      expect(await response.text()).not.toContain('Signed out')
      Object.assign(store, { [method]: works })
      expect((await load(query)).status).toBe(200)
      expect(await tab.session()).toBeNull()
    },
  )

  test('does not exist for a provider that is not listed', async () => {
    const opened = await site()
    const url = 'https://app.test/auth/frontchannel-logout/op'
    expect((await Auth(new Request(url), opened.config)).status).toBe(404)
  })
})

describe('tokens of an ended session', () => {
  const scopes = ['openid', 'openid offline_access'] as const
  test.each(scopes)('with the scope %s', async (scope) => {
    for (const where of ['store', 'account'] as const) {
      const adapter = MemoryAdapter()
      const opened = await site({ adapter, tokens: { where } })
      opened.op.misbehaviour.token = (body) => ({ ...body, scope })
      const person = { sub: 'ada', sid: 'op session of Ada', email: 'ada@example.com' }
      const tab = await opened.open(person)
      const user = await adapter.getUserByEmail?.('ada@example.com')
      const stored = async () => {
        const [account] = (await adapter.listAccounts?.(user?.id ?? '')) ?? []
        const records = (await adapter.listRecords?.(`user:${user?.id}`)) ?? []
        return where === 'account'
          ? Boolean(account?.access_token)
          : records.some(({ key }) => key.startsWith('tokens:'))
      }
      expect(await stored()).toBe(true)
      expect((await opened.send(await logoutToken(opened.op))).status).toBe(200)
      expect(await tab.session()).toBeNull()
      expect([where, await stored()]).toEqual([where, scope.includes('offline_access')])
    }
  })
})

test.each<[Overrides, string]>([
  [{ logout: { backChannel: ['op'] } }, 'need records'],
  [{ logout: { backChannel: ['other'] }, store: MemoryAdapter() }, 'logout.backChannel contains'],
  [{ logout: { frontChannel: ['other'] }, store: MemoryAdapter() }, 'logout.frontChannel contains'],
])('a configuration that cannot end sessions is reported: %j', async (overrides, text) => {
  const op = await issuer()
  const { config, log } = configFor(op, overrides)
  await browser(config).request('session')
  expect(String(log.errors[0]?.message)).toContain(text)
})

test('an adapter without listSessions is reported', async () => {
  const { listSessions: _list, ...adapter } = MemoryAdapter()
  const op = await issuer()
  const { config, log } = configFor(op, { adapter, logout: { backChannel: ['op'] } })
  await browser(config).request('session')
  expect(String(log.errors[0]?.message)).toContain('listSessions')
})

test('records contain neither the user nor the session in plain text', async () => {
  const store = MemoryAdapter()
  const values: string[] = []
  const { writeRecord } = store
  store.writeRecord = async (record, expected) => {
    values.push(JSON.stringify(record))
    return (await writeRecord?.(record, expected)) ?? false
  }
  const opened = await site({ store })
  await opened.open()
  const all = values.filter((each) => each.includes('op-s')).join()
  expect(all).not.toBe('')
  for (const secret of ['op session of Ada', SECRET, '"ada"']) expect(all).not.toContain(secret)
})

describe('after a sign-in at another provider, which replaces the session,', () => {
  async function linked(overrides: Overrides = {}) {
    const [first, other] = await Promise.all([
      issuer({ algorithm: 'ES256' }),
      issuer({ algorithm: 'ES256', url: 'https://other.test' }),
    ])
    const { config } = configFor(first, {
      providers: [oidc(first), oidc(other, { id: 'other' })],
      adapter: MemoryAdapter(),
      store: MemoryAdapter(),
      logout: { backChannel: ['op', 'other'] },
      fetch: (input, init) => {
        const { origin } = new URL(new Request(input, init).url)
        return (origin === other.url ? other : first).fetch(input, init)
      },
      ...overrides,
    })
    const tab = browser(config)
    const signIn = async (id: string, op: Issuer, person: { sub: string; sid: string }) => {
      const begun = await tab.begin(id)
      await begun.comeBack(await op.authorize(begun.url, person))
    }
    await signIn('op', first, { sub: 'ada', sid: 'op session of Ada' })
    const send = async (id: string, op: Issuer, claims = {}) => {
      const body = new URLSearchParams({ logout_token: await logoutToken(op, claims) })
      const url = `https://app.test/auth/backchannel-logout/${id}`
      return (await Auth(new Request(url, { method: 'POST', body }), config)).status
    }
    return { tab, first, other, signIn, send }
  }

  test.each([
    ['the first provider', 'op'],
    ['the second one', 'other'],
  ])('%s still ends it', async (_who, id) => {
    for (const overrides of [{}, { session: { strategy: 'jwt' } }] as const) {
      const { tab, first, other, signIn, send } = await linked(overrides)
      await signIn('other', other, { sub: 'ada at other', sid: 'op session of Ada' })
      expect(await tab.session()).not.toBeNull()
      expect(await send(id, id === 'op' ? first : other)).toBe(200)
      expect(await tab.session()).toBeNull()
    }
  })

  test('what the other provider would end it by is deleted, too', async () => {
    const store = MemoryAdapter()
    const { first, other, signIn, send } = await linked({ store })
    await signIn('other', other, { sub: 'ada at other', sid: 'op session of Ada' })
    expect(await send('op', first)).toBe(200)
    const listed = vi.spyOn(store, 'deleteRecords')
    expect(await send('other', other)).toBe(200)
    expect(listed).not.toHaveBeenCalled()
  })

  test('no session begins if it is not known which providers could end the one before', async () => {
    const store = MemoryAdapter()
    const { tab, first, other, signIn, send } = await linked({ store })
    const { readRecords } = store
    const readRecordsOf = (keys: readonly string[]) =>
      keys.some((key) => key.startsWith('logout:'))
        ? Promise.reject(new Error('down'))
        : readRecords?.(keys)
    Object.assign(store, { readRecords: readRecordsOf })
    await signIn('other', other, { sub: 'ada at other', sid: 'op session of Ada' })
    Object.assign(store, { readRecords })
    expect(await tab.session()).not.toBeNull()
    expect(await send('op', first)).toBe(200)
    expect(await tab.session()).toBeNull()
  })

  test('the first provider ends no session of another user', async () => {
    const { tab, first, other, signIn, send } = await linked()
    await tab.post('signout')
    await signIn('other', other, { sub: 'grace', sid: 'of Grace' })
    expect(await send('op', first)).toBe(200)
    expect(await tab.session()).not.toBeNull()
  })
})
