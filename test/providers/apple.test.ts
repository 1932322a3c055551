import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import Apple from '../../src/providers/apple.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { expectSignedIn } from '../oauth.ts'
import { oidcSite, OPTIONS } from './vendor.ts'

const PAGE = readFileSync(new URL('../../docs/providers/apple.md', import.meta.url), 'utf8')
const CLAIMS = { sub: '000042.0123.0042', email: 'ada@icloud.com' }

/** Apple: its metadata contains no userinfo endpoint and no PKCE method. */
async function appleSite() {
  const url = 'https://appleid.apple.com'
  const site = await oidcSite(Apple(OPTIONS), { url, algorithm: 'ES256' })
  site.op.misbehaviour.discovery = (metadata) => {
    const { userinfo_endpoint: _u, code_challenge_methods_supported: _m, ...rest } = metadata
    return { ...rest, authorization_response_iss_parameter_supported: false }
  }
  site.op.misbehaviour.authorization = (parameters) => {
    parameters.delete('iss')
    return parameters
  }
  return site
}

describe('Apple', () => {
  test('posts the response, and needs no userinfo endpoint', async () => {
    const site = await appleSite()
    const { url } = await site.tab.begin('apple')
    const { form } = await site.op.authorize(url, CLAIMS)
    expect(form?.has('code')).toBe(true)
    await expectSignedIn(site, await site.tab.signIn('apple', CLAIMS))
    expect(site.requests).not.toContain('GET https://appleid.apple.com/userinfo')
  })

  test.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['True', false],
    ['1', false],
    [1, false],
    [null, false],
  ])('email_verified %o verifies the address: %o', async (email_verified, isVerified) => {
    const op = await issuer({ algorithm: 'ES256' })
    const { clientId, clientSecret, url } = op
    const adapter = MemoryAdapter()
    const providers = [Apple({ clientId, clientSecret, issuer: url })]
    const { config, log } = configFor(op, { adapter, providers })
    await browser(config, { issuer: op }).signIn('apple', { ...CLAIMS, email_verified })
    expect(log.errors).toEqual([])
    const user = await adapter.getUserByEmail(CLAIMS.email)
    expect(user?.emailVerified instanceof Date).toBe(isVerified)
  })
})

test('the program of the page creates a client secret that Apple accepts', async () => {
  const [, program = ''] = /```js\n([^]*?)```/.exec(PAGE) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-apple-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const file = join(folder, 'AuthKey_KEY1234567.p8')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  writeFileSync(join(folder, 'apple-secret.mjs'), program)
  const words = ['apple-secret.mjs', 'TEAM123456', 'KEY1234567', 'com.example.web', file]
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  const [, header = '', claims = '', signature = ''] =
    /^AUTH_APPLE_SECRET=([\w-]+)\.([\w-]+)\.([\w-]+)\n$/.exec(stdout) ?? []
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(parse(header)).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
  const now = Math.floor(Date.now() / 1000)
  expect(parse(claims)).toEqual({
    iss: 'TEAM123456',
    sub: 'com.example.web',
    aud: 'https://appleid.apple.com',
    iat: expect.toSatisfy((iat: number) => Math.abs(iat - now) < 60),
    // At most six months: 15777000 seconds.
    exp: expect.toSatisfy((exp: number) => exp > now && exp < now + 15_777_000),
  })
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const input = Buffer.from(`${header}.${claims}`)
  expect(verify('sha256', input, key, Buffer.from(signature, 'base64url'))).toBe(true)
})
