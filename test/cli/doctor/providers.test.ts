/** `doctor` checks the clients of providers, and reports all problems of the configuration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, ENV, examine, examineFolder } from './run-doctor.ts'
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
        '✓ provider github: client from AUTH_GITHUB_ID and AUTH_GITHUB_SECRET; callback URL to register: https://app.test/sign/callback/github',
      ],
    ],
    ['own', ['✓ provider own: callback URL to register: https://app.test/sign/callback/own']],
    [
      'proxied',
      ['✓ provider proxied: callback URL to register: https://proxy.test/auth/callback/proxied'],
    ],
    [
      'public',
      [
        '✓ provider public: client from AUTH_PUBLIC_ID; callback URL to register: https://app.test/sign/callback/public',
      ],
    ],
    [
      'placeholder',
      [
        '✗ provider placeholder: clientId is a placeholder, or starts or ends with a space. → Set AUTH_PLACEHOLDER_ID to the value from GitHub. Callback URL to register: https://app.test/sign/callback/placeholder',
        '✗ provider placeholder: clientSecret is a placeholder, or starts or ends with a space. → Set AUTH_PLACEHOLDER_SECRET to the value from GitHub.',
      ],
    ],
    [
      'not-there',
      [
        '✗ provider not-there: clientId is missing. → Set AUTH_NOT_THERE_ID to the value from GitHub. Callback URL to register: https://app.test/sign/callback/not-there',
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
      `✗ provider op: ${setting} is missing, and ${typed} is not read. → Did you mean ${wanted}? Callback URL to register: https://app.test/auth/callback/op`,
    ])
    expect(result.text).not.toContain('hunter2')
  })

  test.each([
    ['my-app', true],
    ['MyCompany.Web', true],
    ['todo-list', true],
    ['changelog', true],
    ['my-client-id', false],
    ['YOUR_CLIENT_ID', false],
    ['change-me', false],
    ['xxxxxx', false],
    ['<client id>', false],
  ])('decides whether the client id %s is a placeholder', async (id, isClient) => {
    const op = `{ id: 'op', name: 'OP', type: 'oauth', clientSecret: 'hunter2',
      authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`
    const { about } = await examine(`{ providers: [${op}] }`, { ...ENV, AUTH_OP_ID: id })
    const [line = ''] = about('provider op')
    expect(line.startsWith('✓')).toBe(isClient)
    expect(line.includes('is a placeholder')).toBe(!isClient)
  })

  test('takes a misspelt variable for that of the provider with the nearest name', async () => {
    const provider = (id: string) =>
      `{ id: '${id}', name: '${id}', type: 'oauth', clientId: 'id',
        authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`
    const result = await examine(`{ providers: [${provider('github')}, ${provider('google')}] }`, {
      ...ENV,
      AUTH_GITHUB_SECRE: 'hunter2',
    })
    expect(result.about('provider github')[0]).toContain('Did you mean AUTH_GITHUB_SECRET?')
    expect(result.about('provider google')[0]).toContain('→ Set AUTH_GOOGLE_SECRET to ')
  })

  test('reports secrets that browsers receive', () => {
    expect(found.about('environment').slice(1)).toEqual([
      '✗ environment: NEXT_PUBLIC_ELSEWHERE_SECRET is sent to every browser. → Rename it without NEXT_PUBLIC_, and replace the secret, which is public.',
    ])
  })

  test.each([
    ['development', 'http://localhost:3000/auth/callback/op'],
    ['production', 'https://<host>/auth/callback/op'],
  ])('have a callback URL without AUTH_URL in %s', async (NODE_ENV, uri) => {
    const op = `{ id: 'op', name: 'OP', type: 'oauth', clientId: 'a', clientSecret: 'b',
      authorization: 'https://op.test', token: 'https://op.test', userinfo: 'https://op.test' }`
    const env = { AUTH_SECRET: ENV.AUTH_SECRET, NODE_ENV }
    const { about } = await examine(`{ providers: [${op}] }`, env)
    expect(about('provider op')).toEqual([`✓ provider op: callback URL to register: ${uri}`])
  })

  describe('of a mail service', () => {
    const examineMail = (service: string, options: string, env: Readonly<Record<string, string>>) =>
      examineFolder(
        applicationWith({
          'auth.mjs': `import Service from 'lib-auth/providers/${service}'
            import MemoryAdapter from 'lib-auth/adapters/memory'
            export const config = { adapter: MemoryAdapter(), providers: [Service({ ${options} })] }`,
        }),
        [],
        { ...ENV, ...env },
      )
    const NO_KEY = 'apiKey is missing, so no mail can be sent.'

    test.each(['resend', 'sendgrid', 'mailgun', 'postmark', 'forwardemail', 'loops'])(
      'report a missing API key: %s',
      async (service) => {
        const { about, code } = await examineMail(service, "transactionalId: 'id'", {})
        expect(about(`provider ${service}`)).toEqual([
          `✗ provider ${service}: ${NO_KEY} → Set AUTH_${service.toUpperCase()}_KEY to the API key of the mail service.`,
        ])
        expect(code).toBe(1)
      },
    )

    const ADVICE = 'Set AUTH_MY_MAIL_KEY to the API key of the mail service.'
    test.each([
      ['', { AUTH_MY_MAIL_KEY: '' }, `✗ provider my-mail: ${NO_KEY} → ${ADVICE}`],
      ["apiKey: ''", {}, `✗ provider my-mail: ${NO_KEY} → ${ADVICE}`],
      [
        '',
        { AUTH_MY_MAIL_KYE: 'hunter2' },
        '✗ provider my-mail: apiKey is missing, and AUTH_MY_MAIL_KYE is not read. → Did you mean AUTH_MY_MAIL_KEY?',
      ],
      [
        '',
        { AUTH_MY_MAIL_KEY: 'your-key' },
        `✗ provider my-mail: apiKey is a placeholder, or starts or ends with a space. → ${ADVICE}`,
      ],
      ['', { AUTH_MY_MAIL_KEY: 'hunter2' }, '✓ provider my-mail: apiKey is set.'],
      ["apiKey: 'hunter2'", {}, '✓ provider my-mail: apiKey is set.'],
    ])('with { %s } and %o have an API key or report it', async (options, env, expected) => {
      const { about, text, code } = await examineMail('resend', `id: 'my-mail', ${options}`, env)
      expect(about('provider my-mail')).toEqual([expected])
      expect(code).toBe(expected.startsWith('✓') ? 0 : 1)
      expect(text).not.toContain('hunter2')
    })

    test('need no API key if the application sends the mails', async () => {
      const { about, code } = await examineMail('resend', 'sendVerificationRequest() {}', {})
      expect(about('provider resend')).toEqual([])
      expect(code).toBe(0)
    })
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
