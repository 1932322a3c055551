/** Configuration errors: the log contains every problem, the response none. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MissingSecretError } from '../../../src/errors.ts'
import { Auth, raw, setEnvDefaults } from '../../../src/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import { passwordConfig, SECRET } from '../../config.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => void vi.restoreAllMocks())

/** A configuration with unchecked types. */
const unchecked = (config: object): AuthConfig => ({ trustHost: true, ...config })

/** The logged lines about a configuration, without the stack. */
async function problemsOf(config: AuthConfig): Promise<string[]> {
  const headers = { accept: 'application/json' }
  const response = await Auth(new Request('https://app.test/auth/session', { headers }), config)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toMatch(/provider|secret|origin/i)
  const lines = vi.mocked(console.error).mock.calls.flatMap(([text]) => String(text).split('\n'))
  return lines.filter((line) => !/^\s+at /.test(line))
}

const READ_MORE = 'Read more: node_modules/lib-auth/docs/errors.md#missingsecreterror'

describe('several problems of a configuration', () => {
  test('are listed one per line, each with its location', async () => {
    const lines = await problemsOf(
      unchecked({
        origin: 'app.test',
        providers: [
          GitHub({ clientId: 'id', clientSecret: 'secret' }),
          undefined,
          { id: 'mail', name: 'Mail', type: 'email' },
          {
            ...GitHub({ clientId: 'id', clientSecret: 'secret' }),
            id: 'plain',
            token: 'http://idp.test/token?key=k',
          },
        ],
      }),
    )
    expect(lines).toEqual([
      '[auth][error] MissingSecretError: The configuration has 6 problems:',
      '- secret is missing. Set AUTH_SECRET or secret to 32 random bytes or more: npx lib-auth secret.',
      '- origin is not an origin (got "app.test"). Set AUTH_URL or origin to scheme and host: https://example.com.',
      '- providers[1] is not a provider object or factory (got undefined). Did a default import resolve to a module?',
      '- providers[2] (mail) has no sendVerificationRequest function. Set it: it sends the mail.',
      '- providers[3] (plain): token is not https (got "http://idp.test/token"). Write https. Only for a provider in an internal network, set [insecureHttp]: true on it to allow http.',
      '- adapter is missing: a provider of type email stores its verification tokens there. Set adapter.',
      expect.stringMatching(new RegExp(`^${READ_MORE} \\[reference: [\\da-f-]{9}\\]$`)),
    ])
  })

  test('include providers that is not an array, with and without setEnvDefaults', async () => {
    const config = unchecked({ secret: SECRET, providers: GitHub })
    const expected = expect.stringContaining(
      'providers is not an array (got a function). Write providers: [GitHub].',
    )
    expect(await problemsOf(config)).toContainEqual(expected)
    setEnvDefaults({}, config)
    expect(await problemsOf(config)).toContainEqual(expected)
  })

  test('include a secret that is in the environment, which nothing has read for this configuration', async () => {
    vi.stubEnv('AUTH_SECRET', SECRET)
    const config = unchecked({ providers: [] })
    const [line] = await problemsOf(config)
    vi.unstubAllEnvs()
    expect(line).toMatch(
      /secret is missing\. AUTH_SECRET is set, but was not read for this configuration\. Call setEnvDefaults\(process\.env, config\) once, or set secret\./,
    )
  })

  test('include a secret that no variable sets', async () => {
    const config = unchecked({ providers: [], logger: { error: () => undefined } })
    setEnvDefaults({}, config)
    const answer = Auth(new Request('https://app.test/auth/session'), { ...config, raw })
    await expect(answer).rejects.toThrow(/^secret is missing\. Set AUTH_SECRET/)
  })

  test('are escaped, so that a value adds no line', async () => {
    const config = unchecked({
      secret: SECRET,
      origin: 'x\n[auth][error] forged',
      pages: { error: '' },
    })
    const lines = await problemsOf(config)
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(String.raw`(got "x\n[auth][error] forged")`)
  })

  test('are the lines of one message for a wrapper that receives the error', async () => {
    const config = { ...unchecked({ providers: [null], logger: { error: () => undefined } }), raw }
    const error: unknown = await Auth(new Request('https://app.test/auth/session'), config).catch(
      (cause: unknown) => cause,
    )
    expect(error).toBeInstanceOf(MissingSecretError)
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^The configuration has 2 problems:\n- secret is missing\..*\n- providers\[0\] .*\nRead more: /,
      ),
      cause: { problems: [expect.stringMatching(/^secret/), expect.stringMatching(/^providers/)] },
    })
  })
})

describe('a secret that is not a string', () => {
  test.each<[object, string]>([
    [{ secret: 12345678 }, 'secret is not a string (got a number).'],
    [{ secret: 0 }, 'secret is not a string (got a number).'],
    [{ secret: true }, 'secret is not a string (got a boolean).'],
    [{ secret: { a: 12345678 } }, 'secret is not a string (got an object).'],
    [{ secret: () => SECRET }, 'secret is not a string (got a function).'],
    [{ secret: [SECRET, 12345678] }, 'secret[1] is not a string (got a number).'],
    [{ secret: [null] }, 'secret is not a string (got null).'],
    [{ secret: [[[SECRET]]] }, 'secret is not a string (got an array).'],
    [{ secret: SECRET, jwt: { secret: 12345678 } }, 'jwt.secret is not a string (got a number).'],
    [
      { secret: SECRET, redirectProxySecret: [12345678, SECRET] },
      'redirectProxySecret[0] is not a string (got a number).',
    ],
  ])('is an error that names the option, and not the value: %j', async (options, problem) => {
    for (const env of [null, {}, { AUTH_SECRET: SECRET }]) {
      const config = unchecked({ providers: [], ...options })
      if (env) setEnvDefaults(env, config)
      vi.mocked(console.error).mockClear()
      const lines = await problemsOf(config)
      expect(lines.join('\n')).toMatch(
        /(?: or secret to 32 random bytes or more: npx lib-auth secret|, or leave it out)\.(?: |$)/m,
      )
      expect(lines.join('\n')).toContain(`InvalidConfiguration: ${problem} Set `)
      expect(lines.join('\n')).not.toMatch(/12345678|=>/)
    }
  })

  test('null is a missing secret, which a variable can set', async () => {
    const config = unchecked({ providers: [], secret: null })
    expect((await problemsOf(config))[0]).toContain('MissingSecretError: secret is missing.')
    setEnvDefaults({ AUTH_SECRET: SECRET }, config)
    expect(config.secret).toEqual([SECRET])
  })
})

describe('every problem is reported, also with', () => {
  test('an entry of providers that is not a provider, after setEnvDefaults', async () => {
    const config = unchecked({ origin: 'app.test', secret: SECRET, providers: [undefined] })
    setEnvDefaults({}, config)
    const lines = await problemsOf(config)
    expect(lines[0]).toBe('[auth][error] InvalidConfiguration: The configuration has 2 problems:')
    expect(lines[2]).toMatch(/^- providers\[0\] is not a provider/)
  })

  test.each<[string, () => never, string]>([
    [
      'an error of the library',
      () => Nodemailer() as never,
      '- providers[0]: Provider nodemailer has no valid server.',
    ],
    [
      'an error of its own',
      () => {
        throw new TypeError('options is undefined')
      },
      '- providers[0] threw TypeError: options is undefined.',
    ],
  ])('a provider factory that throws %s', async (_what, factory, line) => {
    const config = unchecked({ origin: 'app.test', secret: SECRET, providers: [factory] })
    setEnvDefaults({}, config)
    const lines = await problemsOf(config)
    expect(lines.join('\n')).toContain(line)
    expect(lines.join('\n')).toContain('- origin is not an origin')
  })
})

describe('a single problem', () => {
  test.each<[string, unknown, string]>([
    ['a string', 'github', 'providers[0] is not a provider object or factory (got a string).'],
    [
      'a module',
      { default: GitHub },
      'providers[0] is a module, not a provider. Use its default export.',
    ],
    ['no id', { type: 'oauth' }, 'providers[0] has no id. Set id to a string.'],
    [
      'an unknown type',
      { id: 'own', type: 'saml' },
      'providers[0] (own) has an unknown type (got "saml"). Use oauth, oidc, email, credentials or webauthn.',
    ],
  ])('of a provider is reported in the first line: %s', async (_what, entry, line) => {
    const lines = await problemsOf(unchecked({ secret: SECRET, providers: [entry] }))
    expect(lines[0]).toContain(`[auth][error] InvalidConfiguration: ${line}`)
  })
})

describe('a path that is not a route', () => {
  /** The responses to a browser and to a JSON client, and the log. */
  async function ask(path: string, basePath?: string) {
    const { config, log } = passwordConfig({ basePath })
    const send = async (accept: string) => {
      const request = new Request(`https://app.test${path}`, { headers: { accept } })
      const response = await Auth(request, config)
      expect(response.status).toBe(404)
      return response.text()
    }
    const body: unknown = JSON.parse(await send('application/json'))
    const page = await send('text/html,*/*')
    return { message: Object(body).message as unknown, page, log: log.errors[0]?.message }
  }

  test.each([
    ['/auth/signin', '/api/auth'],
    ['/login', '/auth'],
    ['/auth/nothing', '/auth'],
  ])('%s is reported with the base path %s', async (path, basePath) => {
    const { message, page, log } = await ask(path, basePath)
    const sentence = `There is no route ${path}. The base path of the routes is ${basePath}.`
    expect(message).toBe(sentence)
    expect(page).toContain(sentence)
    expect(log).toContain(
      `${sentence} Check basePath, the path of AUTH_URL, and where the routes are: the folder of the route file, or the path of the handler.`,
    )
  })

  test('is escaped and truncated', async () => {
    const { message, page } = await ask(`/auth/<b>%0a"'${'x'.repeat(5000)}?token=4711`)
    expect(message).toHaveLength(186)
    expect(message).toContain('/auth/%3Cb%3E%0a%22')
    for (const text of [message, page]) expect(text).not.toMatch(/4711|<b>x|\n"/)
  })
})

describe('texts of the built-in pages that are not strings', () => {
  const configWith = (messages: unknown) =>
    unchecked({ secret: SECRET, providers: [], theme: { messages } })

  test.each([
    ['signIn', null, 'null'],
    ['continueWith', () => 'Continue', 'a function'],
    ['code.locked', { en: 'Locked' }, 'an object'],
    ['or', 7, '7'],
  ])('are reported with their name: %s', async (name, text, got) => {
    expect(await problemsOf(configWith({ signOut: 'Log out', [name]: text }))).toContainEqual(
      expect.stringContaining(
        `theme.messages["${name}"] is not a string (got ${got}). Set it to the text of the page.`,
      ),
    )
  })

  test.each([
    ['an array', ['Log in']],
    ['null', null],
    ['"german"', 'german'],
  ])('are reported in place of the table: %s', async (got, messages) => {
    expect(await problemsOf(configWith(messages))).toContainEqual(
      expect.stringContaining(`theme.messages is not an object (got ${got}).`),
    )
  })

  test('show the page of a configuration error', async () => {
    const headers = { accept: 'text/html' }
    const config = configWith({ configurationTitle: 7, configuration: null })
    const response = await Auth(new Request('https://app.test/auth/signin', { headers }), config)
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('Server error')
  })

  test('may be undefined', async () => {
    const config = configWith({ signInTitle: undefined })
    const response = await Auth(new Request('https://app.test/auth/signin'), config)
    expect(await response.text()).toContain('Sign in to app.test')
  })
})
