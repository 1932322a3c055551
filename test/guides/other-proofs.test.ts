/** docs/guides/other-proofs.md */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import { SECRET, silentLog } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('other-proofs')
const { publicKey, privateKey } = await generateKeyPair('RS256')
const jwk = { ...(await exportJWK(publicKey)), kid: 'google', alg: 'RS256' }
const approved = vi.fn()

beforeAll(() => {
  vi.stubEnv('AUTH_GOOGLE_ID', 'client')
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === 'https://www.googleapis.com/oauth2/v3/certs') return Response.json({ keys: [jwk] })
    const fields = Object.fromEntries(init.body as URLSearchParams)
    approved(url.split('/').at(-1), fields)
    return Response.json({ status: fields['Code'] === '123456' ? 'approved' : 'pending' })
  })
})
afterAll(() => void vi.unstubAllEnvs().unstubAllGlobals())

async function signIn(
  { file, name, id }: { file: string; name: string; id: string },
  fields: Record<string, string>,
) {
  const module = await guide.load<Record<string, never>>(file)
  const config = {
    providers: [module[name]],
    secret: SECRET,
    trustHost: true,
    logger: silentLog().logger,
    callbacks: {
      session: ({ session, token }: { session: object; token: object }) => ({ ...session, token }),
    },
  } as unknown as AuthConfig
  const tab = browser(config)
  await tab.post(`callback/${id}`, fields)
  return tab.session()
}

const ONE_TAP = { file: 'one-tap.ts', name: 'OneTap', id: 'one-tap' }
const TEXT_MESSAGE = { file: 'text-message.mjs', name: 'TextMessage', id: 'text-message' }

const idToken = (claims: object, key = privateKey) =>
  new SignJWT({ name: 'Ada', email: 'ada@gmail.com', email_verified: true, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'google' })
    .setIssuer('https://accounts.google.com')
    .setAudience('client')
    .setSubject('1')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)

test('an ID token of One Tap signs in, and its address is used if it belongs to Google', async () => {
  const enter = async (claims: object) => signIn(ONE_TAP, { credential: await idToken(claims) })
  expect(await enter({})).toMatchObject({ token: { sub: 'google:1', email: 'ada@gmail.com' } })
  expect(await enter({ email: 'ada@example.com', hd: 'example.com' })).toMatchObject({
    token: { email: 'ada@example.com' },
  })
  expect(await enter({ email: 'ada@example.com' })).toMatchObject({ token: { email: null } })
})

test('an ID token that Google has not signed for this client is rejected', async () => {
  const { privateKey: other } = await generateKeyPair('RS256')
  const tokens = [
    await idToken({}, other),
    await idToken({ aud: 'another client', email_verified: false }),
    'x',
  ]
  for (const credential of tokens) expect(await signIn(ONE_TAP, { credential })).toBeNull()
})

test('a code by text message signs in', async () => {
  const phone = '+4930123456'
  const enter = (fields: Record<string, string>) => signIn(TEXT_MESSAGE, { phone, ...fields })
  expect(await enter({ code: '123456' })).toMatchObject({ token: { sub: phone } })
  expect(await enter({ code: '000000' })).toBeNull()
  expect(approved).toHaveBeenCalledWith('VerificationCheck', { To: phone, Code: '123456' })
  approved.mockClear()
  expect(await enter({ phone: 'x', code: '123456' })).toBeNull()
  expect(approved).not.toHaveBeenCalled()
})
