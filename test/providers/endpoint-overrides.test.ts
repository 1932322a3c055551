/** Every module with other URLs of its endpoints. */
import { describe, expect, test } from 'vitest'
import { isRecord } from '../../src/core/is-record.ts'
import { expectSignedIn } from '../oauth.ts'
import { catalogueSite, expectedParameters, factoryOf, fixtures, signInWith } from './catalogue.ts'
import type { CatalogueFixture, CatalogueVector } from './catalogue.ts'
import { expectUser, oauthSite, OPTIONS } from './vendor.ts'

const PROXY = 'https://proxy.example.com/vendor'
const AUTHORIZATION = `${PROXY}/authorize`
const TOKEN = `${PROXY}/token`
const USERINFO = `${PROXY}/user`
/** The option `profilePhotoSize` of Entra ID reads it, which is not part of the userinfo endpoint. */
const PHOTO = 'https://graph.microsoft.com/v1.0/me/photos/'

/** The URL of the userinfo endpoint; some modules read the user from the token response. */
function userinfoUrl(provider: object, options: object): string | undefined {
  const { userinfo } = { ...Object(options), ...Object(provider) }
  const url: unknown = isRecord(userinfo) ? userinfo['url'] : userinfo
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : undefined
}

function vectorOf({ vectors: [vector] }: CatalogueFixture) {
  if (!vector) throw new Error('The fixture has no vector.')
  return vector
}

test.each([...fixtures])(
  '%s begins at the configured authorization URL',
  async (module, fixture) => {
    const options = { authorization: { url: AUTHORIZATION } }
    const { tab } = await catalogueSite(module, { options })
    const { url } = await tab.begin(fixture.id)
    expect(url.origin + url.pathname).toBe(AUTHORIZATION)
    expect(Object.fromEntries(url.searchParams)).toEqual(expectedParameters(fixture))
  },
)

/** The vector, whose profile requests go to another URL instead of the standard one. */
function moved(vector: CatalogueVector, standard: string | undefined): CatalogueVector {
  const responses = vector.responses?.map(({ request, response }) => {
    const url = standard ? request.url.replace(standard, USERINFO) : request.url
    return { request: { ...request, url }, response }
  })
  return { ...vector, ...(responses && { responses }) }
}

describe.each([...fixtures].filter(([, { type }]) => type === 'oauth'))('%s', (module, fixture) => {
  test('sends requests to the configured URLs only', async () => {
    const given = vectorOf(fixture)
    const factory = await factoryOf(module)
    const options = { ...OPTIONS, ...fixture.options, ...given.options }
    const standard = userinfoUrl(factory(options), options)
    const userinfo = standard && { userinfo: { url: USERINFO } }
    const provider = factory({ ...options, token: { url: TOKEN }, ...userinfo })
    const { responses = [], ...vector } = moved(given, standard)
    const { method = 'POST' } = fixture.token
    const body = { ...fixture.tokenResponse, ...vector.tokenResponse }
    const token = { url: TOKEN, method, response: { status: 200, body } }
    const site = oauthSite(provider, token, responses)
    await expectSignedIn(site, await signInWith(site, fixture, vector))
    expectUser(site, fixture.id, vector)
    const [first, ...others] = site.requests
    expect(first?.replace(/\?.*/, '')).toBe(`${method} ${TOKEN}`)
    expect(others).toEqual(responses.map(({ request }) => `${request.method} ${request.url}`))
    expect(others.filter((each) => !each.includes(USERINFO))).toEqual([])
  })
})

describe.each([...fixtures].filter(([, { type }]) => type === 'oidc'))('%s', (module, fixture) => {
  test('sends tokens and secrets to the configured URLs only', async () => {
    const given = vectorOf(fixture)
    const factory = await factoryOf(module)
    const all = { ...OPTIONS, ...fixture.options, ...given.options }
    const vector = moved(given, userinfoUrl(factory(all), all))
    const options = { ...given.options, token: { url: TOKEN }, userinfo: { url: USERINFO } }
    const isRecorded = vector.responses?.some(({ request }) => request.url.startsWith(USERINFO))
    const site = await catalogueSite(
      module,
      { ...vector, options },
      { [TOKEN]: 'token', ...(!isRecorded && { [USERINFO]: 'userinfo' }) },
    )
    await expectSignedIn(site, await signInWith(site, fixture, vector))
    expectUser(site, fixture.id, vector)
    const sent = site.received.filter(
      ({ method, headers }) => method === 'POST' || headers.has('authorization'),
    )
    expect(sent[0]?.url).toBe(TOKEN)
    expect(sent.slice(1).filter(({ url }) => url !== USERINFO && !url.startsWith(PHOTO))).toEqual(
      [],
    )
  })
})
