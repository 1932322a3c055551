/** Runtimes with only WebCrypto: the library is loaded without `process.getBuiltinModule`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as nodeJwt from '../../../src/jwt.ts'
import { configFor, SECRET } from '../../config.ts'

const getBuiltinModule = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule')

function replaceBuiltins(value: unknown): void {
  Object.defineProperty(process, 'getBuiltinModule', { value, configurable: true })
  vi.resetModules()
}

beforeEach(() => replaceBuiltins(undefined))
afterEach(() => {
  if (getBuiltinModule) Object.defineProperty(process, 'getBuiltinModule', getBuiltinModule)
  vi.resetModules()
})

const load = () => import('../../../src/core/crypto/node.ts')

test.each([
  ['undefined', undefined],
  ['an object', {}],
  ['a function that throws', thrower],
  ['a function that returns undefined', () => undefined],
  ['a function that returns incomplete modules', () => ({})],
])('uses WebCrypto if process.getBuiltinModule is %s', async (_what, value) => {
  replaceBuiltins(value)
  expect((await load()).node).toBeNull()
})

function thrower(): never {
  throw new Error('This runtime has no built-in modules.')
}

test('a user signs in, has a session, and signs out', async () => {
  expect((await load()).node).toBeNull()
  const { browser, issuer } = await import('../../../src/testing/index.ts')
  const op = await issuer()
  const { config, log } = configFor(op)
  const tab = browser(config, { issuer: op })
  expect((await tab.signIn('op')).headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  expect((await tab.post('signout')).status).toBe(302)
  expect(await tab.session()).toBeNull()
  expect(log.errors).toEqual([])
})

test('each runtime decrypts tokens of the other', async () => {
  const webJwt = await import('../../../src/jwt.ts')
  const rest = { secret: SECRET, salt: 'lib.session-token' }
  const fromWeb = await webJwt.encode({ token: { sub: '1' }, ...rest })
  expect(await nodeJwt.decode({ token: fromWeb, ...rest })).toMatchObject({ sub: '1' })
  const fromNode = await nodeJwt.encode({ token: { sub: '2' }, ...rest })
  expect(await webJwt.decode({ token: fromNode, ...rest })).toMatchObject({ sub: '2' })
})

test('digests are equal in both runtimes', async () => {
  const web = await import('../../../src/core/crypto/digest.ts')
  const key = { secret: SECRET, purpose: 'csrf' } as const
  const [hash, short, code] = [
    web.sha256('é', 'hex'),
    web.sha256('é', 'base64url'),
    web.hmac('é', key),
  ]
  expect(hash).toBeInstanceOf(Promise)
  if (getBuiltinModule) Object.defineProperty(process, 'getBuiltinModule', getBuiltinModule)
  vi.resetModules()
  const node = await import('../../../src/core/crypto/digest.ts')
  expect(await hash).toBe(node.sha256('é', 'hex'))
  expect(await short).toBe(node.sha256('é', 'base64url'))
  expect(await code).toBe(node.hmac('é', key))
})
