/** `doctor` checks the clients of providers, and reports all problems of the configuration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp, ENV, examine } from './run-doctor.ts'
import type { DoctorResult } from './run-doctor.ts'

afterAll(cleanUp)

describe('providers', () => {
  let found: DoctorResult
  beforeAll(async () => {
    const text = `{
      basePath: '/sign/',
      providers: [
        GitHub,
        GitHub({ id: 'own', clientId: 'an id', clientSecret: 'hunter2' }),
        GitHub({ id: 'placeholder' }),
        GitHub({ id: 'not-there' }),
        GitHub({ id: 'public', client: { token_endpoint_auth_method: 'none' } }),
        GitHub({ id: 'proxied', clientId: 'id', clientSecret: 'hunter2', redirectProxyUrl: 'https://proxy.test/auth' }),
        password,
      ],
    }`
    found = await examine(text, {
      ...ENV,
      AUTH_GITHUB_ID: 'an id',
      AUTH_GITHUB_SECRET: 'hunter2',
      AUTH_PLACEHOLDER_ID: 'your-client-id',
      AUTH_PLACEHOLDER_SECRET: 'hunter2 ',
      AUTH_NOT_THERE_SECRET: '',
      NEXT_PUBLIC_ELSEWHERE_SECRET: 'hunter2',
      AUTH_PUBLIC_ID: 'an id',
    })
  })

  test.each([
    [
      'github',
      [
        '✓ provider github: client from AUTH_GITHUB_ID and AUTH_GITHUB_SECRET; redirect URI to register: https://app.test/sign/callback/github',
      ],
    ],
    ['own', ['✓ provider own: redirect URI to register: https://app.test/sign/callback/own']],
    [
      'proxied',
      ['✓ provider proxied: redirect URI to register: https://proxy.test/auth/callback/proxied'],
    ],
    [
      'public',
      [
        '✓ provider public: client from AUTH_PUBLIC_ID; redirect URI to register: https://app.test/sign/callback/public',
      ],
    ],
    [
      'placeholder',
      [
        '✗ provider placeholder: clientId is a placeholder, or starts or ends with a space. → Set AUTH_PLACEHOLDER_ID to the value from GitHub. Redirect URI to register: https://app.test/sign/callback/placeholder',
        '✗ provider placeholder: clientSecret is a placeholder, or starts or ends with a space. → Set AUTH_PLACEHOLDER_SECRET to the value from GitHub.',
      ],
    ],
    [
      'not-there',
      [
        '✗ provider not-there: clientId is missing. → Set AUTH_NOT_THERE_ID to the value from GitHub. Redirect URI to register: https://app.test/sign/callback/not-there',
        '✗ provider not-there: clientSecret is missing. → Set AUTH_NOT_THERE_SECRET to the value from GitHub.',
      ],
    ],
  ])('reports the client of the provider %s', (id, expected) => {
    expect(found.about(`provider ${id}`)).toEqual(expected)
  })

  test.each([
    ['AUTH_OPP_ID', 'AUTH_OP_ID'],
    ['AUTH_OP_CLIENT_ID', 'AUTH_OP_ID'],
    ['OP_CLIENT_ID', 'AUTH_OP_ID'],
    ['OP_ID', 'AUTH_OP_ID'],
    ['auth_op_id', 'AUTH_OP_ID'],
    ['OP_CLIENT_SECRET', 'AUTH_OP_SECRET'],
    ['AUTH_OP_SECERT', 'AUTH_OP_SECRET'],
  ])('asks whether %s is %s', async (typed, wanted) => {
    const op = `{ id: 'op', name: 'OP', type: 'oauth',
      authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`
    const setting = wanted.endsWith('ID') ? 'clientId' : 'clientSecret'
    const others = { AUTH_OP_ID: 'an id', AUTH_OP_SECRET: 'hunter2', [wanted]: '' }
    const result = await examine(`{ providers: [${op}] }`, {
      ...ENV,
      ...others,
      [typed]: 'hunter2',
    })
    expect(result.about('provider op')).toEqual([
      `✗ provider op: ${setting} is missing, and ${typed} is not read. → Did you mean ${wanted}? Redirect URI to register: https://app.test/auth/callback/op`,
    ])
    expect(result.text).not.toContain('hunter2')
  })

  test('reports secrets that browsers receive', () => {
    expect(found.about('environment').slice(1)).toEqual([
      '✗ environment: NEXT_PUBLIC_ELSEWHERE_SECRET is sent to every browser. → Rename it without NEXT_PUBLIC_, and replace the secret, which is public.',
    ])
  })

  test.each([
    ['development', 'http://localhost:3000/auth/callback/op'],
    ['production', 'https://<host>/auth/callback/op'],
  ])('have a redirect URI without AUTH_URL in %s', async (NODE_ENV, uri) => {
    const op = `{ id: 'op', name: 'OP', type: 'oauth', clientId: 'a', clientSecret: 'b',
      authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`
    const env = { AUTH_SECRET: ENV.AUTH_SECRET, NODE_ENV }
    const { about } = await examine(`{ providers: [${op}] }`, env)
    expect(about('provider op')).toEqual([`✓ provider op: redirect URI to register: ${uri}`])
  })

  test('reports an empty list', async () => {
    const { about } = await examine('{ providers: [] }', ENV)
    expect(about('providers')[0]).toContain(
      '✗ providers: the list is empty, so no user can sign in. → Add one: import GitHub',
    )
  })

  test('prints no secret', () => {
    expect(found.text).not.toMatch(/hunter2|an id/)
  })
})

describe('other parts of a configuration', () => {
  test('reports each problem in a line of its own', async () => {
    const text = `{
      providers: [
        { id: 'a b', name: 'A', type: 'credentials', authorize: () => null },
        { id: 'plain', name: 'Plain', type: 'oidc', issuer: 'http://issuer.test', clientId: 'a', clientSecret: 'b' },
        { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest() {} },
        'nothing',
      ],
      session: { maxAge: NaN },
    }`
    const { text: printed } = await examine(text, ENV)
    const lines = printed.replaceAll('\n    ', ' → ')
    for (const expected of [
      '✗ configuration: providers[0] has an id that cannot be part of a path (got "a b"). → Use letters',
      '✗ configuration: providers[3] is not a provider object or factory (got a string). → Read more: node_modules/lib-auth/docs/errors.md#invalidconfiguration',
      '✗ configuration: session.maxAge is not a number of seconds (got NaN).',
      '✗ configuration: providers[1] (plain): issuer is not https',
      '✗ configuration: adapter is missing: a provider of type email stores its verification tokens there. → Set adapter.',
    ])
      expect(lines).toContain(expected)
  })

  test('reports warnings of the library', async () => {
    const { about } = await examine('{ providers: [password, password], debug: true }', {
      ...ENV,
      NODE_ENV: 'production',
    })
    expect(about('configuration').slice(1)).toEqual([
      '! configuration: debug is on in production. → Set it in development only.',
      '! configuration: Several providers have the id "password"; the last one is used.',
    ])
  })
})
