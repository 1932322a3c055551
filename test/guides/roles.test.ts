/** docs/guides/roles.md */
import { expect, test } from 'vitest'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import type { AdapterUser } from '../../src/adapters/index.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('roles')
const op = await issuer()

type SiteConfig = AuthConfig & { callbacks: CallbacksOptions }

function site(config: SiteConfig): Browser {
  return browser(configFor(op, { ...config, providers: [oidc(op, { id: 'github' })] }).config, {
    issuer: op,
  })
}

test.each([
  ['583231', 'admin'],
  ['583232', 'member'],
])('with JWT sessions, the account %s has the role %s', async (sub, role) => {
  const { config } = await guide.load<{ config: SiteConfig }>('jwt-roles.ts')
  const tab = site(config)
  await tab.signIn('github', { sub })
  expect(await tab.session()).toMatchObject({ user: { role } })
})

test('with database sessions, a changed role takes effect with the next request', async () => {
  const { config } = await guide.load<{
    config: SiteConfig & { adapter: { updateUser(user: object): unknown } }
  }>('database-roles.ts')
  const tab = site(config)
  await tab.signIn('github')
  const session = await tab.session()
  expect(session).toMatchObject({ user: { role: 'member' } })
  await config.adapter.updateUser({
    id: (session?.user as AdapterUser | undefined)?.id,
    role: 'admin',
  })
  expect(await tab.session()).toMatchObject({ user: { role: 'admin' } })
})

test.each([
  [{ roles: ['Admin', 'Reader'] }, true],
  [{ roles: ['Reader'] }, false],
  [{ roles: 'Admin' }, false],
  [{}, false],
])('the claims %j of the identity provider make an administrator: %j', async (claims, isAdmin) => {
  const { config } = await guide.load<{ config: SiteConfig }>('idp-roles.ts')
  const tab = site(config)
  await tab.signIn('github', { sub: '1', ...claims })
  expect(await tab.session()).toMatchObject({ isAdmin })
})
