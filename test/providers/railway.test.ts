import { expect, test } from 'vitest'
import { expectSignedIn } from '../oauth.ts'
import { catalogueSite } from './catalogue.ts'
import fixture from './fixtures/railway.json' with { type: 'json' }
import { completeSignIn } from './vendor.ts'

const [vector] = fixture.vectors

test('Railway rejects the authorization response of another issuer', async () => {
  const { tab } = await catalogueSite('railway', vector)
  const response = await completeSignIn(tab, { iss: 'https://attacker.example.com' })
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
})

test('Railway signs in without iss in the authorization response', async () => {
  const site = await catalogueSite('railway', vector)
  await expectSignedIn(site, await completeSignIn(site.tab))
})
