/** Sign-out at a certified provider, and the logout token that it sends. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { Auth } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { freePort } from '../../../tools/ports.mjs'
import { SECRET, silentLog } from '../../config.ts'
import { startCertified } from '../flows/certified-provider.mjs'
import { person } from '../flows/consent.mjs'

const CLIENT_SECRET = 'a secret of the client, for tests'

/** Of the deployment that the provider sends its request to. */
const port = await freePort()
let receiver: AuthConfig | undefined
const received: { status: number; body: string }[] = []
const server = createServer((request, response) => {
  const answer = async () => {
    const body = await buffer(request)
    const { status } = await Auth(
      new Request(`https://app.test${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': request.headers['content-type'] ?? '' },
        body: new Uint8Array(body),
      }),
      receiver ?? { providers: [] },
    )
    received.push({ status, body: body.toString() })
    response.writeHead(status).end()
  }
  void answer()
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve)))

const provider = await startCertified({
  port: undefined,
  clients: [
    {
      client_id: 'client',
      client_secret: CLIENT_SECRET,
      redirect_uris: ['https://app.test/auth/callback/op'],
      post_logout_redirect_uris: ['https://app.test/auth/post-logout'],
      backchannel_logout_uri: `http://127.0.0.1:${port}/auth/backchannel-logout/op`,
      backchannel_logout_session_required: true,
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  settings: {
    // Without the dispatcher of the provider, which sends nothing to addresses of this machine.
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      fetch(url, { method: method ?? 'GET', headers: headers ?? {}, body: body ?? null }),
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
  },
})

afterAll(async () => {
  server.close()
  await provider.close()
})

afterEach(() => void received.splice(0))

describe.each(['jwt', 'database'] as const)('with %s sessions', (strategy) => {
  function site() {
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
      adapter: MemoryAdapter(),
      session: { strategy },
      logout: { backChannel: ['op'] },
      fetch: (input, init) => fetch(input, init),
      logger,
    }
    receiver = config
    return { config, log }
  }

  /** Signs `login` in; the provider keeps a session of the person for each browser. */
  async function signedIn(config: AuthConfig, login = 'ada') {
    const someone = person({ issuer: provider.issuer, login })
    const tab = browser(config)
    const begun = await tab.begin('op')
    await begun.comeBack({ url: await someone.consent(begun.url) })
    expect(await tab.session()).not.toBeNull()
    return { tab, someone }
  }

  const leave = async (tab: Browser) =>
    (await tab.post('signout', { federated: 'true', callbackUrl: '/goodbye' })).headers.get(
      'location',
    ) ?? ''

  test('the user signs out there and comes back', async () => {
    const { config, log } = site()
    const { tab, someone } = await signedIn(config)
    const back = await someone.signOut(await leave(tab))
    expect(back).toMatch(/^https:\/\/app\.test\/auth\/post-logout\?state=/)
    const { search } = new URL(back)
    const response = await tab.request(`post-logout${search}`, { initiator: 'cross-site' })
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'https://app.test/goodbye',
    ])
    expect([...log.errors, ...log.lines]).toEqual([])
    // The user has to enter the password at the next sign-in.
    const begun = await tab.begin('op')
    expect(await someone.isAsked(begun.url)).toBe(true)
  })

  test('the logout token that it sends ends the session in another browser', async () => {
    const { config, log } = site()
    const { tab, someone } = await signedIn(config)
    // Another browser of the application, with one session at the provider.
    const second = browser(config)
    const begun = await second.begin('op')
    await begun.comeBack({ url: await someone.consent(begun.url) })
    const { tab: other } = await signedIn(config, 'grace')
    await someone.signOut(await leave(tab))
    expect(provider.failures).toEqual([])
    expect(received.map(({ status }) => status)).toEqual([200])
    expect(received[0]?.body).toMatch(/^logout_token=[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await second.session()).toBeNull()
    expect(await other.session()).not.toBeNull()
    expect([...log.errors, ...log.lines]).toEqual([])
  })
})
