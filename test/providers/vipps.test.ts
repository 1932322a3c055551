import { expect, test } from 'vitest'
import Vipps from '../../src/providers/vipps.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const TEST_ENVIRONMENT = 'https://apitest.vipps.no/access-management-1.0/access'

test.each([TEST_ENVIRONMENT, `${TEST_ENVIRONMENT}/`])('Vipps accepts %s', async (issuer) => {
  const provider = Vipps({ ...OPTIONS, issuer })
  const site = await oidcSite(provider, { url: TEST_ENVIRONMENT })
  const iss = `${TEST_ENVIRONMENT}/`
  site.op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: iss })
  site.op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss } })
  site.op.misbehaviour.authorization = (parameters) => {
    parameters.set('iss', iss)
    return parameters
  }
  await expectSignedIn(site, await site.tab.signIn('vipps'))
  expect(site.requests).toContain(`GET ${TEST_ENVIRONMENT}/userinfo`)
})
