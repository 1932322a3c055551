import { expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Bungie from '../../src/providers/bungie.ts'
import { SECRET, silentLog } from '../config.ts'
import fixture from './fixtures/bungie.json' with { type: 'json' }
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'
import type { Exchange } from './vendor.ts'

const TOKEN = {
  url: fixture.token.url,
  response: { status: 200, body: fixture.tokenResponse },
}

function siteWith(apiKey: string | undefined, response: Exchange['response']) {
  const exchange = { request: { method: 'GET', url: fixture.userinfo }, response }
  return oauthSite(Bungie({ ...OPTIONS, apiKey }), TOKEN, [exchange])
}

test('Bungie without an API key reports what to set', async () => {
  const { tab, log, requests } = siteWith(undefined, { status: 500 })
  await completeSignIn(tab)
  expect(log.errors).toMatchObject([
    { cause: { err: { message: expect.stringContaining('AUTH_BUNGIE_KEY') } } },
  ])
  expect(requests).toEqual([`POST ${fixture.token.url}`])
})

test('Bungie reads its API key from the environment', () => {
  const { logger } = silentLog()
  const config: AuthConfig = { providers: [Bungie()], secret: SECRET, logger }
  setEnvDefaults({ AUTH_BUNGIE_KEY: 'from-env' }, config)
  expect(config.providers).toMatchObject([{ apiKey: 'from-env' }])
})
