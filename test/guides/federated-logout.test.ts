/** docs/guides/federated-logout.md */
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RedisClient } from '../../src/adapters/redis.ts'
import { Auth, setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { withDatabases } from '../adapters/databases.ts'
import { silentLog } from '../config.ts'
import { logoutToken } from '../core/logout/logout-token.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('federated-logout')
const op = await issuer({ algorithm: 'ES256' })
op.misbehaviour.discovery = (metadata) => ({
  ...metadata,
  end_session_endpoint: `${op.url}/end-session`,
})

beforeAll(() => {
  stubGuideEnvironment()
  vi.stubEnv('AUTH_KEYCLOAK_ISSUER', op.url)
  vi.stubEnv('AUTH_KEYCLOAK_ID', op.clientId)
  vi.stubEnv('AUTH_KEYCLOAK_SECRET', op.clientSecret)
})
afterAll(() => void vi.unstubAllEnvs())

/** The configuration of the guide, with the environment of the site. */
function complete(config: AuthConfig): AuthConfig {
  const { logger } = silentLog()
  const completed = { ...config, fetch: op.fetch, logger }
  setEnvDefaults(process.env, completed)
  return completed
}

test('a sign-out continues at Keycloak, and comes back', async () => {
  const guided = await guide.load<{ config: AuthConfig }>('logout-config.ts')
  const tab = browser(complete(guided.config), { issuer: op })
  await tab.signIn('keycloak')
  const response = await tab.post('signout', { federated: 'true', callbackUrl: '/goodbye' })
  const url = new URL(response.headers.get('location') ?? '')
  expect(url.href).toMatch(`${op.url}/end-session?`)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe('https://app.test/auth/post-logout')
  expect(await tab.session()).toBeNull()
  const state = url.searchParams.get('state') ?? ''
  const back = await tab.request(`post-logout?${new URLSearchParams({ state })}`)
  expect(back.headers.get('location')).toBe('https://app.test/goodbye')
})

await withDatabases(['redis'], ({ redis }) => {
  const client = new Redis(redis.url)
  afterAll(() => client.disconnect())

  test('a logout token of Keycloak ends the session', async () => {
    const { configFor } = await guide.load<{ configFor: (client: RedisClient) => AuthConfig }>(
      'back-channel.ts',
    )
    const config = complete(configFor(client))
    const tab = browser(config, { issuer: op })
    await tab.signIn('keycloak', { sub: 'ada', sid: 'op session' })
    expect(await tab.session()).not.toBeNull()
    const token = await logoutToken(op, { sid: 'op session', sub: 'ada' })
    const url = 'https://app.test/auth/backchannel-logout/keycloak'
    const body = new URLSearchParams({ logout_token: token })
    expect((await Auth(new Request(url, { method: 'POST', body }), config)).status).toBe(200)
    expect(await tab.session()).toBeNull()
  })
})
