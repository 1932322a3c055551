/** Providers whose modules add a path to the issuer in `wellKnown`, as those of OneLogin and Asgardeo do. */
import { describe, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Fetch } from '../../src/types.ts'
import { oidc } from '../config.ts'
import { expectRefused, expectSignedIn, site } from '../oauth.ts'

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
