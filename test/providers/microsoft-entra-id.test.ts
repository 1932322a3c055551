import { describe, expect, test } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import type { MicrosoftEntraIDOptions } from '../../src/providers/microsoft-entra-id.ts'
import { expectSignedIn } from '../oauth.ts'
import fixture from './fixtures/microsoft-entra-id.json' with { type: 'json' }
import { expectUser, OIDC_REQUEST, oidcSite, OPTIONS, userClaims } from './vendor.ts'
import type { Exchange, Vector } from './vendor.ts'

const HOST = 'https://login.microsoftonline.com'
const STAFF = '11111111-2222-3333-4444-555555555555'
const OTHER_TENANT = '66666666-7777-8888-9999-000000000000'
/** The tenant of personal accounts. */
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const ID = 'microsoft-entra-id'
const vectors: Vector[] = fixture.vectors

/** The tenant in the issuer of the metadata. */
const STATED: Readonly<Record<string, string>> = {
  common: '{tenantid}',
  organizations: '{tenantid}',
  consumers: CONSUMERS,
}

/** A site whose provider responds like a tenant or a shared issuer. */
async function siteFor(
  audience: string,
  options: MicrosoftEntraIDOptions = {},
  exchanges: readonly Exchange[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const url = `${HOST}/${audience}/v2.0`
  const issuer = audience === 'common' ? {} : { issuer: url }
  const provider = MicrosoftEntraID({ ...OPTIONS, ...issuer, ...options })
  const config: AuthConfig = { providers: [provider] }
  setEnvDefaults(env, config)
  const site = await oidcSite(config.providers?.[0] ?? provider, { url, exchanges })
  const { misbehaviour } = site.op
  misbehaviour.discovery = ({
    authorization_response_iss_parameter_supported: _no,
    ...metadata
  }) => ({
    ...metadata,
    issuer: `${HOST}/${STATED[audience] ?? audience}/v2.0`,
  })
  misbehaviour.authorization = (parameters) => {
    parameters.delete('iss')
    return parameters
  }
  misbehaviour.token = (body) => ({ ...body, ...fixture.tokenResponse })
  return site
}

type Site = Awaited<ReturnType<typeof siteFor>>

/** Signs in with a token of a tenant. */
async function signIn(site: Site, tid: unknown, iss = `${HOST}/${String(tid)}/v2.0`) {
  site.op.misbehaviour.idToken = ({ header, claims }) => ({
    header,
    claims: { ...claims, iss, tid },
  })
  return site.tab.signIn(ID)
}

test('requests profile and address for every tenant', async () => {
  const { url } = await (await siteFor('common')).tab.begin(ID)
  expect(url.href).toContain(`${HOST}/common/v2.0`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...OIDC_REQUEST,
    scope: 'openid profile email User.Read',
    redirect_uri: `https://app.test/auth/callback/${ID}`,
  })
})

test.each(vectors)('signs in with Microsoft Entra ID: $name', async (vector) => {
  const site = await siteFor(STAFF, { profilePhotoSize: 48 }, vector.responses)
  const response = await site.tab.signIn(ID, userClaims(vector.idTokenClaims ?? {}))
  await expectSignedIn(site, response)
  expectUser(site, ID, vector)
  expect(site.requests.filter((each) => each.includes('graph.microsoft.com'))).toHaveLength(1)
})

test('requests no photo by default', async () => {
  const [vector] = vectors
  const site = await siteFor(STAFF)
  const response = await site.tab.signIn(ID, userClaims(vector?.idTokenClaims ?? {}))
  await expectSignedIn(site, response)
  expect(site.signedIn[0]?.user.image).toBeNull()
  expect(site.requests.filter((each) => each.includes('graph.microsoft.com'))).toEqual([])
})

describe('a tenant', () => {
  test('accepts its own users', async () => {
    const site = await siteFor(STAFF)
    await expectSignedIn(site, await signIn(site, STAFF))
  })

  test.each([OTHER_TENANT, CONSUMERS])('rejects users of another one, %s', async (tid) => {
    const site = await siteFor(STAFF)
    const response = await signIn(site, tid)
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toBeNull()
  })
})

test('a tenant from the environment accepts only its own users', async () => {
  const site = await siteFor(STAFF, { issuer: undefined }, [], {
    AUTH_MICROSOFT_ENTRA_ID_ISSUER: `${HOST}/${STAFF}/v2.0`,
  })
  await expectSignedIn(site, await signIn(site, STAFF))
  const response = await signIn(site, OTHER_TENANT)
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
})

describe('an issuer that tenants share', () => {
  test.each([
    ['common', STAFF, true],
    ['common', OTHER_TENANT, true],
    ['common', CONSUMERS, true],
    ['organizations', STAFF, true],
    ['organizations', CONSUMERS, false],
    ['consumers', CONSUMERS, true],
    ['consumers', STAFF, false],
  ])('%s decides on a user of %s: accepted is %s', async (audience, tid, isAccepted) => {
    const site = await siteFor(audience)
    const response = await signIn(site, tid)
    if (isAccepted) await expectSignedIn(site, response)
    else expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toEqual(isAccepted ? expect.anything() : null)
  })

  test.each<[string, unknown, string?]>([
    ['has another tid than its issuer', STAFF, `${HOST}/${OTHER_TENANT}/v2.0`],
    ['has no tid', undefined, `${HOST}/${STAFF}/v2.0`],
    ['has the placeholder in its issuer', STAFF, `${HOST}/{tenantid}/v2.0`],
    ['is from another host', STAFF, `https://evil.example/${STAFF}/v2.0`],
    ['is from version 1.0 of the endpoint', STAFF, `https://sts.windows.net/${STAFF}/`],
    ['has a list as tid', [STAFF]],
    ['has a path as tid', 'common/../evil'],
    ['has the shared issuer as tid', 'common'],
  ])('rejects a token that %s', async (_what, tid, iss) => {
    const site = await siteFor('common')
    const response = await signIn(site, tid, iss)
    expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
    expect(await site.tab.session()).toBeNull()
  })

  test('is rejected with metadata of another host', async () => {
    const site = await siteFor('common')
    site.op.misbehaviour.discovery = (metadata) => ({
      ...metadata,
      issuer: 'https://evil.example/{tenantid}/v2.0',
    })
    expect((await site.tab.post(`signin/${ID}`)).status).toBe(500)
  })
})

test.each([STAFF, `${HOST}/${STAFF}`])(
  'the issuer %s is reported with the URL to set',
  (issuer) => {
    expect(() => MicrosoftEntraID({ issuer })).toThrow(
      `is incomplete (got "${issuer}"). Set it to ${HOST}/${STAFF}/v2.0.`,
    )
  },
)
