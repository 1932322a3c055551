/** docs/guides/extend-session.md */
import { expect, test } from 'vitest'
import type { AdapterUser } from '../../src/adapters/index.ts'
import type { AuthConfig, CallbacksOptions } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { configFor, oidc } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('extend-session')
const op = await issuer()
const ADA = { sub: '7', name: 'Ada Lovelace', email: 'ada@example.com' }

type SiteConfig = AuthConfig & { callbacks: CallbacksOptions }

function open(config: SiteConfig): Browser {
  const providers = [oidc(op, { id: 'github' })]
  return browser(configFor(op, { ...config, providers }).config, { issuer: op })
}

test.each([
  [{ locale: 'fr' }, 'fr'],
  [{}, 'en'],
])('with JWT sessions, the claims %j give the session the locale %s', async (claims, locale) => {
  const { config } = await guide.load<{ config: SiteConfig }>('jwt-session.ts')
  const tab = open(config)
  await tab.signIn('github', { ...ADA, ...claims })
  expect((await tab.session())?.user).toEqual({
    id: 'github|7',
    name: ADA.name,
    email: ADA.email,
    locale,
  })
})

test('with database sessions, the session has the column, and no other one', async () => {
  const { config } = await guide.load<{
    config: SiteConfig & { adapter: { updateUser(user: object): unknown } }
  }>('database-session.ts')
  const tab = open(config)
  await tab.signIn('github')
  const user = (await tab.session())?.user as AdapterUser
  expect(user).toEqual({ id: expect.any(String), name: 'Ada Lovelace', plan: 'free' })
  await config.adapter.updateUser({ id: user.id, plan: 'paid' })
  expect((await tab.session())?.user).toMatchObject({ plan: 'paid' })
})
