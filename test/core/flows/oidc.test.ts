import { describe, expect, test } from 'vitest'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Fetch } from '../../../src/core/types.ts'
import { configFor, oidc } from '../../config.ts'
import { expectRefused, expectSignedIn, site } from '../../oauth.ts'

test('signs in with an OpenID provider and sees the session', async () => {
  const op = await issuer()
  const { config, log } = configFor(op)
  const tab = browser(config, { issuer: op })
  expect(await tab.session()).toBeNull()
  const response = await tab.signIn('op')
  expect(log.errors).toEqual([])
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
  })
  expect(op.requests).toEqual({ discovery: 1, jwks: 1, token: 1, userinfo: 0 })
})

// Providers whose modules add a path to the issuer in `wellKnown`, as those of OneLogin and Asgardeo do.

const WELL_KNOWN = '/.well-known/openid-configuration'

describe.each([
  ['OneLogin', 'https://acme.onelogin.test', '/oidc/2'],
  ['Asgardeo', 'https://api.asgardeo.test/t/acme', '/oauth2/token'],
])('an issuer with a path, as that of %s', async (_vendor, root, path) => {
  const op = await issuer({ url: root + path })

  test.each([
    ['the issuer in full', root + path],
    ['the root of the tenant', root],
    ['the root of the tenant, with a slash at the end', `${root}/`],
  ])('is discovered if the application configures %s', async (_what, configured) => {
    op.reset()
    const wellKnown = `${configured.replace(/\/$/, '')}${path}${WELL_KNOWN}`
    const on = site(op, { provider: { issuer: configured, wellKnown } })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(op.requests.discovery).toBe(1)
  })

  test('is compared with its metadata', async () => {
    op.reset()
    const provider = { issuer: root, wellKnown: `${root}${path}${WELL_KNOWN}` }
    op.misbehaviour.idToken = ({ header, claims }) => ({ header, claims: { ...claims, iss: root } })
    const on = site(op, { provider })
    await expectRefused(on, await on.tab.signIn('op'))
  })

  test.each(['https://evil.test', `${root}/other`])('rejects metadata of %s', async (stated) => {
    op.reset()
    op.misbehaviour.discovery = (metadata) => ({ ...metadata, issuer: stated })
    const on = site(op, { provider: { issuer: root, wellKnown: `${root}${path}${WELL_KNOWN}` } })
    const response = await on.tab.post('signin/op')
    expect(response.status).toBe(500)
    expect(on.log.errors).toMatchObject([{ type: 'InvalidEndpoints' }])
    expect(on.log.errors[0]?.message).toContain(stated)
  })
})

test('accepts metadata below the issuer that contains the configured issuer', async () => {
  const op = await issuer({ url: 'https://acme.frontegg.test' })
  const fetch: Fetch = (input, init) => {
    const isMetadata = typeof input === 'string' && input.endsWith(`/oauth${WELL_KNOWN}`)
    return op.fetch(isMetadata ? op.url + WELL_KNOWN : input, init)
  }
  const provider = oidc(op, { wellKnown: `${op.url}/oauth${WELL_KNOWN}` })
  const on = site(op, { config: { providers: [provider], fetch } })
  await expectSignedIn(on, await on.tab.signIn('op'))
})

describe('oidc well known', async () => {
  const op = await issuer()

  /** An OpenID provider that is configured only by the URL of its metadata. */
  const provider = { issuer: undefined, wellKnown: `${op.url}/.well-known/openid-configuration` }

  test('signs in with an OpenID provider that is configured by wellKnown only', async () => {
    op.reset()
    const on = site(op, { provider })
    await expectSignedIn(on, await on.tab.signIn('op'))
    expect(on.signedIn[0]?.user.name).toBe('Ada Lovelace')
  })

  test('signs in with a provider that signs its userinfo', async () => {
    op.reset()
    const client = { userinfo_signed_response_alg: 'RS256' }
    const on = site(op, { provider: { ...provider, idToken: false, client } })
    op.misbehaviour.userinfo = async (claims) =>
      new Response(await op.sign(claims), { headers: { 'content-type': 'application/jwt' } })
    await expectSignedIn(on, await on.tab.signIn('op'))
  })

  test('rejects an ID token whose issuer is not the one in the metadata', async () => {
    op.reset()
    const on = site(op, { provider })
    op.misbehaviour.idToken = (draft) => ({
      ...draft,
      claims: { ...draft.claims, iss: 'https://evil.test' },
    })
    await expectRefused(on, await on.tab.signIn('op'))
  })
})
