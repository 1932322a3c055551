/** `doctor` checks the metadata of issuers, and the clock. */
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { issuer } from '../../../src/testing/index.ts'
import type { Values } from '../../../src/testing/types.ts'
import {
  applicationWith,
  cleanUp,
  callDoctor,
  GOOD_SECRET,
  portOf,
  send,
  serve,
  toRequest,
} from './run-doctor.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** Runs the doctor on a configuration with these OIDC providers. */
async function examine(providers: string) {
  const code = `
    const oidc = (options) => ({ id: 'op', name: 'OP', type: 'oidc', clientId: 'id', clientSecret: 'hunter2', ...options })
    export const config = { providers: [${providers}] }
  `
  return callDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)
}

/** Starts an issuer; `change` alters its metadata, `ahead` its clock in seconds. */
async function startIssuer(
  change: (metadata: Values) => Values | Response = (same) => same,
  ahead = 0,
) {
  const origin = await serve((request, response) => {
    response.setHeader('date', new Date(Date.now() + ahead * 1000).toUTCString())
    void toRequest(request)
      .then((converted) => op.fetch(converted))
      .then((answer) => send(answer, response))
  })
  const op = await issuer({ url: origin })
  op.misbehaviour.discovery = change
  return origin
}

test('accepts an issuer with valid metadata', async () => {
  const origin = await startIssuer()
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([`✓ issuer op: metadata of ${origin} is valid.`])
  expect(about('clock')).toEqual([])
  expect(code).toBe(0)
})

test('rejects metadata of another issuer', async () => {
  const origin = await startIssuer((metadata) => ({ ...metadata, issuer: 'https://other.test' }))
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    `✗ issuer op: The issuer of provider op is "${origin}" in the configuration and "https://other.test" in its metadata. → Set issuer to exactly the value in the metadata.`,
  ])
  expect(code).toBe(1)
})

test('rejects endpoints on plain http', async () => {
  const origin = await startIssuer((metadata) => ({
    ...metadata,
    token_endpoint: 'http://op.test/token',
  }))
  const { about, code } = await examine(`oidc({ issuer: '${origin}' })`)
  expect(about('issuer op')).toEqual([
    '✗ issuer op: The token_endpoint of provider op is http://op.test, not https. → Write https. Only for a provider in an internal network, set [insecureHttp]: true on it to allow http.',
  ])
  expect(code).toBe(1)
})

test.each([
  [404, 'responded with status 404.'],
  [200, 'did not return JSON.'],
])('rejects an issuer without metadata (status %i)', async (status, expected) => {
  const origin = await startIssuer(() => new Response('Hello', { status }))
  const { about, code } = await examine(
    `oidc({ issuer: '${origin}/realm' }), oidc({ id: 'other', wellKnown: '${origin}/.well-known/openid-configuration' })`,
  )
  expect(about('issuer op')[0]).toContain(`✗ issuer op: ${origin}/realm has no valid metadata: `)
  expect(about('issuer other')[0]).toContain(expected)
  expect(about('issuer other')[0]).toContain(
    '→ Set issuer or wellKnown exactly as the provider documents it.',
  )
  expect(code).toBe(1)
})

test('does not request the metadata of an issuer whose endpoints are configured', async () => {
  const { about } = await examine(`oidc({
    type: 'oauth', issuer: 'http://127.0.0.1:9', authorization: 'https://op.test/a', token: 'https://op.test/t', userinfo: 'https://op.test/u',
  })`)
  expect(about('issuer op')).toEqual([])
  expect(about('provider op')).toHaveLength(1)
})

test(
  'warns about unreachable issuers, and requests all of them in parallel',
  { timeout: 30_000 },
  async () => {
    const requested = new Set<string | undefined>()
    let together = 0
    const silent = createServer(({ url }, response) => {
      requested.add(url)
      response.once('close', () => (together ||= requested.size))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${portOf(silent.address())}`
    try {
      const { about, code } = await examine(`
      oidc({ issuer: '${origin}/a' }), oidc({ id: 'b', issuer: '${origin}/b' }), oidc({ id: 'c', issuer: 'http://127.0.0.1:9' })`)
      const timeout = 'Timeout: 5 seconds.'
      expect(about('issuer op')[0]).toMatch(
        /^! issuer op: .*\/a is unreachable and was not checked: .* timed out after \d+ ms\./,
      )
      expect(about('issuer b')[0]).toContain(timeout)
      expect(about('issuer c')[0]).toContain(
        `! issuer c: http://127.0.0.1:9 is unreachable and was not checked: fetch failed`,
      )
      expect(about('clock')).toEqual([])
      expect(code).toBe(0)
      // Both requests had arrived when the first one ended.
      expect(together).toBe(2)
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  },
)

test('reports a wrong clock', async () => {
  const [early, late, right] = await Promise.all([
    startIssuer(undefined, -600),
    startIssuer(undefined, 600),
    startIssuer(),
  ])
  const { about, code } = await examine(`
    oidc({ issuer: '${early}' }), oidc({ id: 'late', issuer: '${late}' }), oidc({ id: 'right', issuer: '${right}' })`)
  const clock = about('clock').join('\n')
  expect(about('clock')).toHaveLength(2)
  expect(clock).toMatch(
    /✗ clock: this machine is (?:599|600|601) seconds ahead of 127\S+; sign-ins fail above 60 seconds\. → Set the clock that is wrong, on Linux: timedatectl/,
  )
  expect(clock).toMatch(/✗ clock: this machine is (?:599|600|601) seconds behind 127\S+;/)
  expect(code).toBe(1)
})
