import { expect, test } from 'vitest'
import { catalogueSite, fixtures } from './catalogue.ts'

// RFC 7636 §4.2.
test('MyAnimeList receives the code verifier as the code challenge', async () => {
  const { tab, received } = await catalogueSite('myanimelist', {
    responses: fixtures.get('myanimelist')?.vectors[0]?.responses ?? [],
  })
  const { url } = await tab.begin('myanimelist')
  const challenge = url.searchParams.get('code_challenge')
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('code', 'sample-code')
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  await tab.request(back.href, { initiator: 'cross-site' })
  const body = new URLSearchParams(await received[0]?.text())
  expect(body.get('code_verifier')).toBe(challenge)
  expect(challenge).toMatch(/^[\w-]{43}$/)
})

test('each sign-in at MyAnimeList has its own code challenge', async () => {
  const { tab } = await catalogueSite('myanimelist')
  const [first, second] = [await tab.begin('myanimelist'), await tab.begin('myanimelist')]
  expect(first.url.searchParams.get('code_challenge')).not.toBe(
    second.url.searchParams.get('code_challenge'),
  )
})

test('a visitor cannot choose the method of the code challenge', async () => {
  const { tab } = await catalogueSite('gitlab')
  const response = await tab.post('signin/gitlab?code_challenge_method=plain')
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  expect(searchParams.get('code_challenge_method')).toBe('S256')
})
