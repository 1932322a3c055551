import { expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import UnitedEffects from '../../src/providers/united-effects.ts'
import ZITADEL from '../../src/providers/zitadel.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const ISSUER = 'https://auth.unitedeffects.com/YQpbQV5dbW-224dCovz-3'

test.each([
  ['united-effects', UnitedEffects, ISSUER],
  ['zitadel', ZITADEL, 'https://acme-abc123.us1.zitadel.cloud'],
])('%s accepts an issuer with a slash at the end', async (id, factory, url) => {
  const site = await oidcSite(factory({ ...OPTIONS, issuer: `${url}/` }), { url })
  await expectSignedIn(site, await site.tab.signIn(id))
})

test.each([
  ['without a call', UnitedEffects],
  ['with a call', UnitedEffects()],
])('sends the issuer from the environment as resource, %s', async (_how, entry) => {
  const environment = {
    AUTH_UNITED_EFFECTS_ID: OPTIONS.clientId,
    AUTH_UNITED_EFFECTS_SECRET: OPTIONS.clientSecret,
    AUTH_UNITED_EFFECTS_ISSUER: `${ISSUER}/`,
  }
  const list: AuthConfig = { providers: [entry], secret: SECRET }
  setEnvDefaults(environment, list)
  const [provider] = list.providers ?? []
  if (!provider) throw new Error('The list has no provider.')
  const site = await oidcSite(provider, { url: ISSUER })
  const { url } = await site.tab.begin('united-effects')
  expect(url.searchParams.get('resource')).toBe(ISSUER)
})

test.each([
  ['AUTH_UNITED_EFFECTS_ISSUER', UnitedEffects],
  ['AUTH_ZITADEL_ISSUER', ZITADEL],
])('names %s if the issuer is missing', async (variable, factory) => {
  const { log, logger } = silentLog()
  const providers = [factory(OPTIONS)]
  await browser({ providers, secret: SECRET, trustHost: true, logger }).request('signin')
  expect(log.errors[0]?.message).toContain(variable)
})
