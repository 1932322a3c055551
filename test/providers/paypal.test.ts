import { expect, test } from 'vitest'
import { InvalidConfiguration } from '../../src/core/errors/classes.ts'
import PayPal from '../../src/providers/paypal.ts'
import type { PayPalOptions } from '../../src/providers/paypal.ts'
import { expectSignedIn } from '../oauth.ts'
import { completeSignIn, oauthSite, OPTIONS } from './vendor.ts'

const API = 'https://api-m.sandbox.paypal.com/v1'

test('PayPal uses the hosts of the sandbox', async () => {
  const token = {
    url: `${API}/oauth2/token`,
    response: { status: 200, body: { access_token: 'sample-access-token', token_type: 'Bearer' } },
  }
  const userinfo = {
    request: { method: 'GET', url: `${API}/identity/oauth2/userinfo?schema=paypalv1.1` },
    response: { status: 200, body: { user_id: 'https://www.paypal.com/user/42' } },
  }
  const site = oauthSite(PayPal({ ...OPTIONS, environment: 'sandbox' }), token, [userinfo])
  const { url } = await site.tab.begin('paypal')
  expect(url.origin + url.pathname).toBe('https://www.sandbox.paypal.com/signin/authorize')
  await expectSignedIn(site, await completeSignIn(site.tab))
})

test('rejects an unknown environment of PayPal', () => {
  const options = { ...OPTIONS, environment: 'production' } as unknown as PayPalOptions
  expect(() => PayPal(options)).toThrow(InvalidConfiguration)
  expect(() => PayPal(options)).toThrow('(got "production"). Set it to "live" or "sandbox".')
})
