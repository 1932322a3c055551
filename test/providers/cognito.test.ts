import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
import Cognito from '../../src/providers/cognito.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const POOL = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_SAMPLE'

test('Cognito accepts an issuer with a slash at the end', async () => {
  const site = await oidcSite(Cognito({ ...OPTIONS, issuer: `${POOL}/` }), { url: POOL })
  await expectSignedIn(site, await site.tab.signIn('cognito'))
})

test.each([
  'https://shop.auth.eu-west-1.amazoncognito.com',
  'https://shop.auth.eu-west-1.amazoncognito.com/login',
  'https://cognito-idp.eu-west-1.amazonaws.com',
  'https://cognito-idp.eu-west-1.amazonaws.com/',
])('rejects %s as the issuer of Cognito', (issuer) => {
  expect(() => Cognito({ ...OPTIONS, issuer })).toThrow(InvalidConfiguration)
  expect(() => Cognito({ ...OPTIONS, issuer })).toThrow('<user pool id>')
})
