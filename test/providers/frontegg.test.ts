import { expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Frontegg from '../../src/providers/frontegg.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const ISSUER = 'https://app-example.frontegg.com'

test.each([ISSUER, `${ISSUER}/`, `${ISSUER}/oauth`])(
  'accepts %s as the issuer of Frontegg',
  async (stated) => {
    const provider = Frontegg({ ...OPTIONS, issuer: ISSUER })
    const site = await oidcSite(provider, { url: `${ISSUER}/oauth` })
    site.op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: stated })
    const begun = await site.tab.begin('frontegg')
    expect(begun.url.href).toMatch(`${ISSUER}/oauth/authorize?`)
    expect(site.log.errors).toEqual([])
  },
)

test('reads the issuer of Frontegg from the environment', async () => {
  const config: AuthConfig = { providers: [Frontegg], secret: SECRET, trustHost: true }
  const environment = {
    AUTH_FRONTEGG_ID: 'sample-client',
    AUTH_FRONTEGG_SECRET: 'sample-secret',
    AUTH_FRONTEGG_ISSUER: `${ISSUER}/`,
  }
  setEnvDefaults(environment, config)
  const { url } = await browser(config).begin('frontegg')
  expect(url.href).toMatch(`${ISSUER}/oauth/authorize?`)
})

test('names the variable if Frontegg has no issuer', async () => {
  const { log, logger } = silentLog()
  const providers = [Frontegg(OPTIONS)]
  await browser({ providers, secret: SECRET, trustHost: true, logger }).request('signin')
  expect(log.errors[0]?.message).toContain('AUTH_FRONTEGG_ISSUER')
})
