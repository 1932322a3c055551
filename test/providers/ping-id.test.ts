import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
import PingId from '../../src/providers/ping-id.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const ENVIRONMENT = '00000000-0000-4000-8000-000000000001'

test.each([
  [`https://auth.pingone.eu/${ENVIRONMENT}/as/`, `https://auth.pingone.eu/${ENVIRONMENT}/as`],
  ['https://login.example.com/as', 'https://login.example.com/as'],
])('PingOne accepts %s', async (issuer, url) => {
  const site = await oidcSite(PingId({ ...OPTIONS, issuer }), { url })
  await expectSignedIn(site, await site.tab.signIn('ping-id'))
})

test.each([
  'https://auth.pingone.eu',
  `https://auth.pingone.eu/${ENVIRONMENT}`,
  'https://auth.pingone.com/staff/as',
])('rejects %s as the issuer of PingOne', (issuer) => {
  expect(() => PingId({ ...OPTIONS, issuer })).toThrow(InvalidConfiguration)
  expect(() => PingId({ ...OPTIONS, issuer })).toThrow('<environment id>/as')
})
