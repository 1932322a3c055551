import { describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import * as errors from '../../../src/errors.ts'
import { Auth, requireAuth } from '../../../src/index.ts'
import { listSessions, revokeSession } from '../../../src/sessions.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import { enter, oidc, passwordConfig, TYPED } from '../../config.ts'
import { databaseSite, down } from '../../database.ts'
import { ADA, click, followLink, mailProvider, mailSite, requestLink } from '../../email.ts'
import { addPasskey, siteWithoutOtherMethods } from '../../passkeys.ts'

const op = await issuer({ algorithm: 'ES256' })

const ID = /^[\w-]{43}$/
const REF = /^[\da-f]{4}-[\da-f]{4}$/
const SID = /^[\w-]{22}$/

const WRONG = { ...TYPED, password: 'wrong' }

describe('the audit log', () => {
  test('receives a sign-in with credentials and the sign-out of that session', async () => {
    const { audit, events } = recordAudit()
    const tab = browser(passwordConfig({ audit }).config)
    await enter(tab)
    await tab.post('signout')
    const common = {
      id: expect.stringMatching(ID),
      time: expect.any(Date),
      outcome: 'success',
      ref: expect.stringMatching(REF),
      actor: { kind: 'user', id: '1' },
      sid: expect.stringMatching(SID),
    }
    expect(events).toEqual([
      { ...common, type: 'signin', provider: 'password' },
      { ...common, type: 'signout' },
    ])
    expect(events[0]?.sid).toBe(events[1]?.sid)
    expect(events[0]?.id).not.toBe(events[1]?.id)
  })

  test.each(['jwt', 'database'] as const)(
    'names the new user and the linked account of a first sign-in, with %s sessions',
    async (strategy) => {
      const { audit, events, types } = recordAudit()
      const site = databaseSite(op, { config: { audit, session: { strategy } } })
      await site.tab.signIn('op')
      expect(types()).toEqual(['user.created success', 'account.linked success', 'signin success'])
      const ids = new Set(events.map(({ actor }) => actor.id))
      expect(ids).toEqual(new Set([(await site.stored.getUserByEmail?.(ADA))?.id]))
      await site.tab.post('signout')
      expect(types().at(-1)).toBe('signout success')
      expect(events.at(-1)?.sid).toBe(events.at(-2)?.sid)
    },
  )

  test('ignores a sign-out without a session, and reads of the session', async () => {
    const { audit, events } = recordAudit()
    const site = databaseSite(op, { config: { audit } })
    await site.tab.post('signout')
    await site.tab.signIn('op')
    events.splice(0)
    site.faults.getSessionAndUser = down
    await site.tab.request('session')
    expect(events).toEqual([])
    expect(site.log.errors).toHaveLength(1)
  })

  test('ignores functions of the application that fail, but for a request of another origin', async () => {
    const { audit, types } = recordAudit()
    const { config, faults } = databaseSite(op, { config: { audit } })
    const headers = { host: 'app.test', cookie: '__Host-lib.session-token=of-a-session' }
    faults.getSessionAndUser = down
    for (const call of [listSessions(headers, config), requireAuth(headers, config)])
      await expect(call).rejects.toThrow(errors.SessionUnavailable)
    expect(types()).toEqual([])
    const foreign = { ...headers, origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
    await expect(revokeSession(foreign, config, 'sid')).rejects.toThrow(errors.MissingCSRF)
    expect(types()).toEqual(['csrf.refused denied'])
  })

  test('receives failed sign-ins without the user, with an HMAC of what was typed in', async () => {
    const { audit, events } = recordAudit()
    const { config } = passwordConfig({ audit })
    for (const username of [' ADA', 'ada', 'eve'])
      await enter(browser(config), { ...WRONG, username })
    const [first, second, other] = events
    expect(first).toMatchObject({
      type: 'signin',
      outcome: 'failure',
      reason: 'CredentialsSignin',
      actor: { kind: 'anonymous' },
      target: { kind: 'user', id: expect.stringMatching(/^[\da-f]{32}$/) },
      provider: 'password',
    })
    expect(first?.target).toEqual(second?.target)
    expect(other?.target).not.toEqual(first?.target)
    // Random ids contain each short name at some time.
    const withoutIds = events.map((event) => Object.assign({}, event, { id: '', ref: '' }))
    expect(JSON.stringify(withoutIds)).not.toMatch(/ada|eve|wrong/i)
  })

  test('contains what was typed in with identifiers: plain, without control characters', async () => {
    const { audit, events } = recordAudit({ identifiers: 'plain' })
    await enter(browser(passwordConfig({ audit }).config), { ...WRONG, username: 'ada\n[auth]' })
    expect(events[0]?.target?.id).toBe(String.raw`ada\x0a[auth]`)
  })

  test('receives a magic link that was already used', async () => {
    const { audit, events, types } = recordAudit()
    const site = mailSite({ audit })
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    await click(tab, link)
    await tab.post('signout')
    await followLink(browser(site.config), link)
    expect(types()).toEqual([
      'user.created success',
      'signin success',
      'signout success',
      'signin failure',
    ])
    expect(events.at(-1)).toMatchObject({ reason: 'Verification', provider: 'email' })
  })

  test('receives an authorization response that was already used as a replay', async () => {
    const { audit, types } = recordAudit()
    const site = databaseSite(op, { config: { audit } })
    const authorization = await site.tab.post('signin/op')
    const { url } = await op.authorize(authorization.headers.get('location') ?? '')
    await site.tab.request(url)
    await site.tab.post('signout')
    await site.open().request(url)
    expect(types().at(-1)).toBe('transaction.replayed failure')
  })

  test.each(['without its cookie', 'with its cookie'])(
    'receives an authorization response that another process has used as a replay, %s',
    async (how) => {
      const { audit, types } = recordAudit()
      const site = databaseSite(op, { config: { audit } })
      const authorization = await site.tab.post('signin/op')
      const { url } = await op.authorize(authorization.headers.get('location') ?? '')
      const cookie = site.tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
      await site.tab.request(url)
      expect(types().at(-1)).toBe('signin success')
      vi.resetModules()
      const other = await import('../../../src/index.ts')
      const headers = new Headers(how === 'with its cookie' ? { cookie: cookie.join('; ') } : {})
      await other.Auth(new Request(url, { headers }), site.config)
      expect(types().at(-1)).toBe('transaction.replayed failure')
    },
  )

  test('signs in while the records that contain used states are down', async () => {
    const { audit, types } = recordAudit()
    const site = databaseSite(op, {
      config: { audit, store: { ...MemoryAdapter(), writeRecord: down } },
    })
    await site.tab.signIn('op')
    expect(types().at(-1)).toBe('signin success')
  })

  test('receives a refused CSRF token', async () => {
    const { audit, events } = recordAudit()
    const { config } = passwordConfig({ audit })
    const body = new URLSearchParams({ ...TYPED, csrfToken: 'forged' })
    const headers = { origin: 'https://evil.test', 'user-agent': 'curl\n1' }
    const request = new Request('https://app.test/auth/callback/password', {
      method: 'POST',
      body,
      headers: { ...headers, 'user-agent': 'curl/8' },
    })
    await Auth(request, config)
    expect(events).toMatchObject([
      { type: 'csrf.refused', outcome: 'denied', reason: 'MissingCSRF', userAgent: 'curl/8' },
    ])
  })

  test('receives an eviction of earlier sessions', async () => {
    const { audit, types } = recordAudit()
    const adapter = MemoryAdapter()
    await adapter.createUser({ id: '', email: ADA, emailVerified: null })
    const mails: Parameters<typeof mailProvider>[0] = []
    const site = databaseSite(op, {
      adapter,
      config: { audit, providers: [oidc(op), mailProvider(mails)] },
    })
    const link = await requestLink(site.tab, { mails })
    await click(site.tab, link)
    expect(types()).toContain('session.ended success')
  })

  test('receives the removal of a passkey, and the refusal to remove the last one', async () => {
    const { audit, events, types } = recordAudit()
    const site = await siteWithoutOtherMethods({ config: { audit } })
    const [first, last] = [
      await addPasskey(site.stored, site.userId),
      await addPasskey(site.stored, site.userId),
    ]
    events.splice(0)
    await site.remove(first)
    await expect(site.remove(last)).rejects.toThrow(errors.LastSignInMethod)
    expect(types()).toEqual(['factor.removed success', 'factor.removed denied'])
    expect(events[0]).toMatchObject({
      actor: { kind: 'user', id: site.userId },
      target: { kind: 'factor', id: first },
    })
  })

  test('receives a sign-in that the signIn callback redirects', async () => {
    const { audit, types } = recordAudit()
    const config = { audit, callbacks: { signIn: () => '/blocked' } }
    await enter(browser(passwordConfig(config).config))
    expect(types()).toEqual(['signin denied'])
  })

  test('receives a sign-in whose session the jwt callback refuses', async () => {
    const { audit, types } = recordAudit()
    const config = { audit, callbacks: { jwt: () => null } }
    await enter(browser(passwordConfig(config).config))
    expect(types()).toEqual(['signin denied'])
  })
})
