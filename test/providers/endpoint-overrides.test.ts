/** Every module of type `oauth` with other URLs of the token and userinfo endpoint. */
import { expect, test } from 'vitest'
import { isRecord } from '../../src/is-record.ts'
import { expectSignedIn } from '../oauth.ts'
import { factoryOf, fixtures } from './catalogue.ts'
import { completeSignIn, expectUser, oauthSite, OPTIONS } from './vendor.ts'

const TOKEN = 'https://proxy.example.com/vendor/token'
const USERINFO = 'https://proxy.example.com/vendor/user'

const oauth = [...fixtures].filter(([, { type }]) => type === 'oauth')

/** The default URL of the userinfo endpoint; some modules have none. */
function defaultUserinfo(provider: object): string | undefined {
  const { userinfo } = Object(provider)
  const url: unknown = isRecord(userinfo) ? userinfo['url'] : userinfo
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : undefined
}

test.each(oauth)('%s uses the configured URLs only', async (module, fixture) => {
  const [vector] = fixture.vectors
  if (!vector) throw new Error('The fixture has no vector.')
  const factory = await factoryOf(module)
  const options = { ...OPTIONS, ...fixture.options, ...vector.options }
  const standard = defaultUserinfo(factory(options))
  const provider = factory({
    ...options,
    token: { url: TOKEN },
    ...(standard && { userinfo: { url: USERINFO } }),
  })
  const responses = (vector.responses ?? []).map(({ request, response }) => {
    const url = standard ? request.url.replace(standard, USERINFO) : request.url
    return { request: { ...request, url }, response }
  })
  const { method = 'POST' } = fixture.token
  const body = { ...fixture.tokenResponse, ...vector.tokenResponse }
  const token = { url: TOKEN, method, response: { status: 200, body } }
  const site = oauthSite(provider, token, responses)
  await expectSignedIn(site, await completeSignIn(site.tab, vector.callback))
  expectUser(site, fixture.id, vector)
  const [first, ...others] = site.requests
  expect(first?.replace(/\?.*/, '')).toBe(`${method} ${TOKEN}`)
  expect(others).toEqual(responses.map(({ request }) => `${request.method} ${request.url}`))
  if (standard) expect(others.join(' ')).toContain(USERINFO)
})
