/** docs/guides/deployment.md */
import { expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { openGuide } from './guide.ts'

const op = await issuer()
const OLD = 'the old secret, of 32 bytes or more'
const NEW = 'the new secret, of 32 bytes or more'

function configWith(env: Record<string, string>): AuthConfig {
  const { secret: _secret, ...config } = configFor(op).config
  setEnvDefaults({ ...env, AUTH_URL: 'https://app.test/auth' }, config)
  return config
}

async function sessionWith(cookie: string, env: Record<string, string>): Promise<unknown> {
  const tab = browser(configWith(env))
  tab.cookies.set('__Host-lib.session-token', cookie)
  return tab.session()
}

test('rotating the secret in three steps keeps sessions; replacing it ends them', async () => {
  const tab = browser(configWith({ AUTH_SECRET: OLD }), { issuer: op })
  await tab.signIn('op')
  const before = tab.cookies.get('__Host-lib.session-token')?.value ?? ''
  const both = { AUTH_SECRET: OLD, AUTH_SECRET_1: NEW }
  expect(await sessionWith(before, both)).not.toBeNull()
  const later = browser(configWith(both), { issuer: op })
  await later.signIn('op')
  const after = later.cookies.get('__Host-lib.session-token')?.value ?? ''
  expect(await sessionWith(after, { AUTH_SECRET: NEW })).not.toBeNull()
  expect(await sessionWith(before, { AUTH_SECRET: NEW })).toBeNull()
})

test('the nginx configuration overwrites every forwarded header that is trusted', () => {
  const [block] = openGuide('deployment').blocks('nginx')
  // Without the port of $http_host, the user would be redirected to another origin.
  for (const [name, value] of Object.entries({
    Host: 'http_host',
    'X-Forwarded-Host': 'http_host',
    'X-Forwarded-Proto': 'scheme',
  }))
    expect(block).toContain(`proxy_set_header ${name} $${value};`)
})
