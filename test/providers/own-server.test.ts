/** The URL of the server or the tenant that an application has to name. */
import { describe, expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
import Cognito from '../../src/providers/cognito.ts'
import Gitea from '../../src/providers/gitea.ts'
import PingId from '../../src/providers/ping-id.ts'
import Synology from '../../src/providers/synology.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const NAS = 'https://nas.example.com:5001'

describe.each([
  ['Gitea', Gitea, 'https://git.example.com', '/', '/login/oauth/authorize'],
  ['Synology', Synology, NAS, '//', '/webman/sso/SSOOauth.cgi'],
] as const)('%s', (name, factory, server, slashes, path) => {
  test.each([server, server + slashes])('sends users to %s', async (baseUrl) => {
    const providers = [factory({ ...OPTIONS, baseUrl })]
    const tab = browser({ providers, secret: SECRET, trustHost: true })
    const { url } = await tab.begin(name.toLowerCase())
    expect(url.origin + url.pathname).toBe(server + path)
  })

  test.each(['', 'host.example.com'])('rejects "%s" as baseUrl', (baseUrl) => {
    expect(() => factory({ ...OPTIONS, baseUrl })).toThrow(InvalidConfiguration)
    expect(() => factory({ ...OPTIONS, baseUrl })).toThrow(server)
  })

  test('without options is reported', async () => {
    const { log, logger } = silentLog()
    const site = browser({ providers: [factory], secret: SECRET, trustHost: true, logger })
    await site.request('signin')
    expect(log.errors[0]?.message).toContain(`baseUrl of the ${name} provider is not a URL`)
  })
})

const POOL = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_SAMPLE'
const ENVIRONMENT = '00000000-0000-4000-8000-000000000001'

test.each([
  ['cognito', Cognito, `${POOL}/`, POOL],
  [
    'ping-id',
    PingId,
    `https://auth.pingone.eu/${ENVIRONMENT}/as/`,
    `https://auth.pingone.eu/${ENVIRONMENT}/as`,
  ],
  ['ping-id', PingId, 'https://login.example.com/as', 'https://login.example.com/as'],
] as const)('%s accepts the issuer %3$s', async (id, factory, issuer, url) => {
  const site = await oidcSite(factory({ ...OPTIONS, issuer }), { url })
  await expectSignedIn(site, await site.tab.signIn(id))
})

test.each([
  [Cognito, 'https://shop.auth.eu-west-1.amazoncognito.com', '<user pool id>'],
  [Cognito, 'https://shop.auth.eu-west-1.amazoncognito.com/login', '<user pool id>'],
  [Cognito, 'https://cognito-idp.eu-west-1.amazonaws.com', '<user pool id>'],
  [Cognito, 'https://cognito-idp.eu-west-1.amazonaws.com/', '<user pool id>'],
  [PingId, 'https://auth.pingone.eu', '<environment id>/as'],
  [PingId, `https://auth.pingone.eu/${ENVIRONMENT}`, '<environment id>/as'],
  [PingId, 'https://auth.pingone.com/staff/as', '<environment id>/as'],
])('%o rejects %s as the issuer', (factory, issuer, correct) => {
  expect(() => factory({ ...OPTIONS, issuer })).toThrow(InvalidConfiguration)
  expect(() => factory({ ...OPTIONS, issuer })).toThrow(correct)
})
