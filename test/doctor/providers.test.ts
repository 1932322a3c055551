/** What the doctor says of providers, and of the rest of a configuration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp, ENV, examine } from './patient.ts'
import type { Diagnosis } from './patient.ts'

afterAll(cleanUp)

describe('providers', () => {
  let found: Diagnosis
  beforeAll(async () => {
    const text = `{
      basePath: '/sign/',
      providers: [
        GitHub,
        GitHub({ id: 'own', clientId: 'an id', clientSecret: 'hunter2' }),
        GitHub({ id: 'placeholder' }),
        GitHub({ id: 'not-there' }),
        GitHub({ id: 'elsewhere' }),
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
      ELSEWHERE_CLIENT_ID: 'an id',
      NEXT_PUBLIC_ELSEWHERE_SECRET: 'hunter2',
      AUTH_PUBLIC_ID: 'an id',
      AUTH_OTHER_ONE_ID: 'an id',
      AUTH_OTHER_ONE_SECRET: 'hunter2',
    })
  })

  test.each([
    [
      'github',
      [
        '✓ provider github: client from AUTH_GITHUB_ID and AUTH_GITHUB_SECRET; register https://app.test/sign/callback/github there as redirect URI.',
      ],
    ],
    ['own', ['✓ provider own: register https://app.test/sign/callback/own there as redirect URI.']],
    [
      'proxied',
      [
        '✓ provider proxied: register https://proxy.test/auth/callback/proxied there as redirect URI.',
      ],
    ],
    [
      'public',
      [
        '✓ provider public: client from AUTH_PUBLIC_ID; register https://app.test/sign/callback/public there as redirect URI.',
      ],
    ],
    [
      'placeholder',
      [
        '✗ provider placeholder: its clientId is a placeholder. → Write AUTH_PLACEHOLDER_ID=<the client id that GitHub shows you>.',
        '✗ provider placeholder: its clientSecret begins or ends with a space. → Write AUTH_PLACEHOLDER_SECRET=<the client secret that GitHub shows you>.',
      ],
    ],
    [
      'not-there',
      [
        '✗ provider not-there: has no clientId. → Write AUTH_NOT_THERE_ID=<the client id that GitHub shows you>.',
        '✗ provider not-there: has no clientSecret. AUTH_NOT_THERE_SECRET is there, and empty. → Write AUTH_NOT_THERE_SECRET=<the client secret that GitHub shows you>.',
      ],
    ],
    [
      'elsewhere',
      [
        '✗ provider elsewhere: has no clientId. ELSEWHERE_CLIENT_ID is set, which is not read. → Call it AUTH_ELSEWHERE_ID.',
        '✗ provider elsewhere: has no clientSecret. NEXT_PUBLIC_ELSEWHERE_SECRET is set, which is not read. → Call it AUTH_ELSEWHERE_SECRET.',
      ],
    ],
    ['password', ['✓ provider password: of type credentials: nothing has to be registered.']],
  ])('%s', (id, expected) => {
    expect(found.about(`provider ${id}`).slice(0, expected.length)).toEqual(expected)
  })

  test('that are not there have variables', () => {
    expect(found.about('environment').slice(1)).toEqual([
      '✗ environment: NEXT_PUBLIC_ELSEWHERE_SECRET is sent to every browser. → Call it by a name without NEXT_PUBLIC_, and make a new one: it is no secret any more.',
      '! environment: AUTH_OTHER_ONE_ID and AUTH_OTHER_ONE_SECRET are set, and no provider reads them. → Add the provider to providers, with the id other-one, or leave them out.',
    ])
  })

  test('are none', async () => {
    const { about } = await examine('{ providers: [] }', ENV)
    expect(about('providers')[0]).toContain(
      '✗ providers: there is none, so nobody can sign in. → Write providers: [GitHub]',
    )
  })

  test('never show a secret', () => {
    expect(found.text).not.toMatch(/hunter2|an id/)
  })
})

describe('the rest of a configuration', () => {
  test('is held against every rule, and each problem has a line', async () => {
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
      '✗ providers: providers[1] (plain): issuer is not https',
      '✗ adapter: adapter is missing: a provider of type email stores its verification tokens there. → Set adapter.',
    ])
      expect(lines).toContain(expected)
  })

  test('has what stops nobody', async () => {
    const { about } = await examine('{ providers: [password, password], debug: true }', {
      ...ENV,
      NODE_ENV: 'production',
    })
    expect(about('configuration').slice(1)).toEqual([
      "! configuration: debug is on in production: the log holds more than it should. → Write debug: process.env.NODE_ENV === 'development'.",
      '! configuration: Several providers have the id "password"; the last one is used. → Give each of them an id of its own.',
    ])
  })
})
