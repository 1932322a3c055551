/** What the doctor says of issuers, and of the clock. */
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import type { Values } from '../../src/testing/types.ts'
import {
  applicationWith,
  cleanUp,
  diagnose,
  GOOD_SECRET,
  portOf,
  send,
  serve,
  toRequest,
} from './patient.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** The findings about a configuration with these providers of the type `oidc`. */
async function examine(providers: string) {
  const code = `
    const oidc = (options) => ({ id: 'op', name: 'OP', type: 'oidc', clientId: 'id', clientSecret: 'hunter2', ...options })
    export const config = { providers: [${providers}] }
  `
  return diagnose(applicationWith({ 'auth.mjs': code }), [], ENV)
}

/** An issuer on a port of its own; what its metadata says can be changed. */
async function startIssuer(
  change: (metadata: Values) => Values | Response = (same) => same,
  ahead = 0,
) {
  const origin = await serve((request, response) => {
    response.setHeader('date', new Date(Date.now() + ahead * 1000).toUTCString())
    void toRequest(request)
      .then((asked) => op.fetch(asked))
      .then((answer) => send(answer, response))
  })
  const op = await issuer({ url: origin })
  op.misbehaviour.discovery = change
  return origin
}

test('one that answers as it should', async () => {
  const origin = await startIssuer()
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    `✓ issuer op: ${origin} answers; its endpoints are on https; PKCE with S256.`,
  ])
  expect(about('clock')).toEqual([`✓ clock: this machine agrees with ${new URL(origin).host}.`])
  expect(code).toBe(0)
})

test('one that does not say whether it supports PKCE', async () => {
  const origin = await startIssuer((metadata) => {
    const { code_challenge_methods_supported: methods, ...others } = metadata
    expect(methods).toEqual(['S256'])
    return others
  })
  const { about } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')[0]).toContain('✓ issuer op')
  expect(about('issuer op')[0]).toContain('it does not say whether PKCE is supported')
})

test('one that supports less than is asked of it', async () => {
  const origin = await startIssuer((metadata) => ({
    ...metadata,
    code_challenge_methods_supported: ['plain'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
  }))
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    `! issuer op: ${origin} says that it does not support PKCE with S256. → If sign-ins fail there, write checks: ['state', 'nonce'] on the provider.`,
    `! issuer op: ${origin} says that clients prove themselves with private_key_jwt, client_secret_post, and op uses client_secret_basic. → If sign-ins fail there, write client: { token_endpoint_auth_method: 'private_key_jwt' } on the provider.`,
  ])
  expect(code).toBe(0)
})

test('one that calls itself something else', async () => {
  const origin = await startIssuer((metadata) => ({ ...metadata, issuer: 'https://other.test' }))
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    `✗ issuer op: The issuer of provider op is "${origin}" in the configuration and "https://other.test" in its metadata. → Set issuer to exactly the value in the metadata.`,
  ])
  expect(code).toBe(1)
})

test('one whose endpoints are not on https', async () => {
  const origin = await startIssuer((metadata) => ({
    ...metadata,
    token_endpoint: 'http://op.test/token',
  }))
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    '✗ issuer op: The token_endpoint of provider op is http://op.test, not https. → Set [insecureHttp]: true on the provider to allow http.',
  ])
  expect(code).toBe(1)
})

test.each([
  [404, 'answered with status 404.'],
  [200, 'did not return JSON.'],
])('one without metadata (%i)', async (status, expected) => {
  const origin = await startIssuer(() => new Response('Hello', { status }))
  const { about, code } = await examine(
    `oidc({ issuer: '${origin}/realm' }), oidc({ id: 'other', wellKnown: '${origin}/.well-known/openid-configuration' })`,
  )
  expect(about('issuer op')[0]).toContain(
    `✗ issuer op: ${origin}/realm has no metadata that can be used: `,
  )
  expect(about('issuer other')[0]).toContain(expected)
  expect(about('issuer other')[0]).toContain('→ Write the issuer as the provider spells it')
  expect(code).toBe(1)
})

test('one that is not asked when people sign in is not asked now', async () => {
  const { about } = await examine(`oidc({
    type: 'oauth', issuer: 'http://127.0.0.1:9', authorization: 'https://op.test/a', token: 'https://op.test/t', userinfo: 'https://op.test/u',
  })`)
  expect(about('issuer op')).toEqual([])
  expect(about('provider op')).toHaveLength(1)
})

test(
  'those that cannot be reached are waited for at the same time, and not held against anybody',
  { timeout: 30_000 },
  async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${portOf(silent.address())}`
    const before = Date.now()
    try {
      const { about, code } = await examine(`
      oidc({ issuer: '${origin}/a' }), oidc({ id: 'b', issuer: '${origin}/b' }), oidc({ id: 'c', issuer: 'http://127.0.0.1:9' })`)
      const waited = 'It was waited for 5 seconds.'
      expect(about('issuer op')[0]).toMatch(
        /^! issuer op: .*\/a was not reached, so it was not looked at: .* did not answer within \d+ ms\./,
      )
      expect(about('issuer b')[0]).toContain(waited)
      expect(about('issuer c')[0]).toContain(
        `! issuer c: http://127.0.0.1:9 was not reached, so it was not looked at: fetch failed`,
      )
      expect(about('clock')).toEqual([])
      expect(code).toBe(0)
      expect(Date.now() - before).toBeLessThan(9_000)
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  },
)

test('a clock that is wrong', async () => {
  const [early, late, right] = await Promise.all([
    startIssuer(undefined, -600),
    startIssuer(undefined, 600),
    startIssuer(),
  ])
  const wrong = await examine(
    `oidc({ issuer: '${early}' }), oidc({ id: 'late', issuer: '${late}' })`,
  )
  expect(wrong.about('clock')[0]).toMatch(
    /^✗ clock: this machine is (?:599|600|601) seconds ahead of 127\S+, (?:599|600|601) seconds behind 127\S+; more than 60 seconds make sign-ins fail\. → Set the clock where it is wrong: timedatectl/,
  )
  expect(wrong.code).toBe(1)
  const one = await examine(`oidc({ issuer: '${right}' }), oidc({ id: 'late', issuer: '${late}' })`)
  expect(one.about('clock')[0]).toMatch(/^! clock: /)
  expect(one.code).toBe(0)
})
