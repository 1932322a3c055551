import { describe, expect, test } from 'vitest'
import type { OIDCConfig, Provider } from '../../../src/core/config/provider.ts'
import { customFetch, insecureHttp, setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'
import Entra from '../../../src/providers/microsoft-entra-id.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { configFor, passwordConfig } from '../../config.ts'

type Env = Readonly<Record<string, string>>

function read(env: Env, provider: Provider): Record<string | symbol, unknown> {
  const config: AuthConfig = { providers: [provider] }
  setEnvDefaults(env, config)
  const [filled] = config.providers ?? []
  return { ...(filled as object) }
}

const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

const own = (id: string, rest: Partial<OIDCConfig> = {}): OIDCConfig => ({
  id,
  name: 'Own',
  type: 'oidc',
  ...rest,
})

describe('the variables of a provider', () => {
  test.each<[string, string]>([
    ['own', 'OWN'],
    ['my-own', 'MY_OWN'],
    ['my_own', 'MY_OWN'],
    ['own2', 'OWN2'],
    ['microsoft-entra-id', 'MICROSOFT_ENTRA_ID'],
    ['myOwn', 'MY_OWN'],
    ['myOwn', 'MYOWN'],
    ['my.own', 'MY_OWN'],
    ['42-school', '42_SCHOOL'],
  ])('of %s begin with AUTH_%s', (id, name) => {
    const env = {
      [`AUTH_${name}_ID`]: 'client',
      [`AUTH_${name}_SECRET`]: 'secret',
      [`AUTH_${name}_ISSUER`]: 'https://op.test',
    }
    const expected = { clientId: 'client', clientSecret: 'secret', issuer: 'https://op.test' }
    expect(read(env, own(id))).toMatchObject(expected)
    expect(read(env, () => own(id))).toMatchObject(expected)
  })

  test('separated words take precedence over joined words', () => {
    const env = { AUTH_MY_OWN_ID: 'apart', AUTH_MYOWN_ID: 'in one' }
    expect(read(env, own('myOwn'))).toMatchObject({ clientId: 'apart' })
  })

  const env = { AUTH_OWN_ID: 'env', AUTH_OWN_SECRET: 'env', AUTH_OWN_ISSUER: 'https://env.test' }
  const given = { clientId: 'mine', clientSecret: 'mine', issuer: 'https://mine.test' }

  test.each<[string, Provider]>([
    ['an object', own('own', given)],
    ['options', { ...own('own'), options: given } as Provider],
    ['a factory', () => own('own', given)],
  ])('set only missing options: %s', (_how, provider) => {
    expect(read(env, provider)).toMatchObject(given)
  })

  test.each<[string, Provider, string]>([
    ['a factory', Entra, 'env'],
    ['a factory that was called', Entra({ clientId: 'mine' }), 'env'],
    ['a factory without options', Entra({ issuer: undefined }), 'env'],
    ['a factory with options', Entra({ issuer: issuerOf('mine') }), 'mine'],
    ['the result of a factory, as an object', { ...Entra(), options: undefined }, 'common'],
    ['an object with options', { ...own('microsoft-entra-id'), options: {} } as Provider, 'env'],
  ])('override the defaults of a provider, and not the application: %s', (_how, entry, who) => {
    const names = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: issuerOf('env') }
    expect(read(names, entry)).toMatchObject({ issuer: issuerOf(who) })
  })

  test('are read independently', () => {
    const filled = read(env, own('own', { clientId: 'mine', clientSecret: undefined }))
    expect(filled).toMatchObject({ clientId: 'mine', clientSecret: 'env' })
  })

  test('are ignored if empty', () => {
    const filled = read({ AUTH_OWN_ID: '', AUTH_OWN_SECRET: '' }, own('own'))
    expect([filled['clientId'], filled['clientSecret']]).toEqual([undefined, undefined])
  })

  test('use the configured id', () => {
    const github = GitHub({ id: 'github-work' })
    const names = { AUTH_GITHUB_ID: 'other', AUTH_GITHUB_WORK_ID: 'mine' }
    expect(read(names, github)).toMatchObject({ id: 'github-work', clientId: 'mine' })
  })

  test('do not apply to credentials', () => {
    const [provider] = passwordConfig().config.providers ?? []
    const names = { AUTH_PASSWORD_ID: 'x', AUTH_PASSWORD_SECRET: 'y', AUTH_PASSWORD_ISSUER: 'z' }
    const filled = read(names, provider as Provider)
    expect(filled).not.toHaveProperty('clientId')
    expect(filled).not.toHaveProperty('issuer')
  })
})

describe('a factory', () => {
  test('receives the settings of the environment', () => {
    const calls: unknown[] = []
    const factory = (options: object = {}) => {
      calls.push(options)
      return own('own', options)
    }
    read({ AUTH_OWN_ID: 'a', AUTH_OWN_ISSUER: 'https://b.test', AUTH_OWN_KEY: 'c' }, factory)
    // Once to read its id, once to create the provider.
    expect(calls).toEqual([{}, { clientId: 'a', issuer: 'https://b.test', apiKey: 'c' }])
  })

  test('can derive its URLs from them', () => {
    const env = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: 'https://login.microsoftonline.com/mine/v2.0' }
    expect(read(env, Entra)).toMatchObject({ issuer: env.AUTH_MICROSOFT_ENTRA_ID_ISSUER })
  })
})

test('keeps symbols, functions and instances', () => {
  const fetch = async () => new Response()
  const profile = () => ({ id: '1' })
  const provider = own('own', { profile, [customFetch]: fetch, [insecureHttp]: true })
  const filled = read({ AUTH_OWN_ID: 'a' }, provider)
  expect(filled).toMatchObject({ clientId: 'a', profile })
  expect(filled[customFetch]).toBe(fetch)
  expect(filled[insecureHttp]).toBe(true)
})

test('does not change the entries of the application', () => {
  const provider = Object.freeze(own('own'))
  const providers = Object.freeze([provider, GitHub])
  const config: AuthConfig = { providers }
  setEnvDefaults({ AUTH_OWN_ID: 'a', AUTH_GITHUB_ID: 'b' }, config)
  expect(provider).toEqual(own('own'))
  expect(config.providers).not.toBe(providers)
  expect(config.providers).toMatchObject([{ clientId: 'a' }, { id: 'github', clientId: 'b' }])
})

test('signs in with a provider that only the environment configures', async () => {
  const op = await issuer()
  const { config } = configFor(op, { providers: [own('op')] })
  setEnvDefaults(
    { AUTH_OP_ID: op.clientId, AUTH_OP_SECRET: op.clientSecret, AUTH_OP_ISSUER: op.url },
    config,
  )
  const tab = browser(config, { issuer: op })
  expect((await tab.signIn('op')).headers.get('location')).toBe('https://app.test')
  expect(await tab.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
})
