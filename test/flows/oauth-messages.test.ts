/** The log message of a failed sign-in at a provider: the cause, and what to change. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setEnvDefaults } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import type { OAuthConfig } from '../../src/config/provider.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { IdTokenDraft, Misbehaviour } from '../../src/testing/types.ts'
import { configFor, oidc } from '../config.ts'
import { oauth, site } from '../oauth.ts'
import { arrive, deployment, PREVIEW, PROXY, proxyFor } from '../redirect-proxy.ts'

const op = await issuer()

beforeEach(() => op.reset())
afterEach(() => void vi.restoreAllMocks())

/** The one message in the log after a sign-in. */
async function messageOf(misbehaviour: Misbehaviour, provider: Partial<OAuthConfig> = {}) {
  Object.assign(op.misbehaviour, misbehaviour)
  const on = site(op, { provider })
  const response = await on.tab.signIn('op')
  expect(response.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(on.log.errors).toHaveLength(1)
  return on.log.errors[0]?.message ?? ''
}

const refuse = (body: object, status: number) => ({ token: () => Response.json(body, { status }) })
const now = () => Math.floor(Date.now() / 1000)

describe('rejected client credentials', () => {
  const first =
    'The provider rejected the client credentials (invalid_client). Check AUTH_MY_OP_SECRET.'

  test.each([oidc, oauth])(
    'name the variable of the provider in the first line (%o)',
    async (make) => {
      const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => undefined)
      const provider = make(op, { id: 'my-op', clientSecret: 'wrong' })
      const { config } = configFor(op, { providers: [provider], logger: undefined })
      await browser(config, { issuer: op }).signIn('my-op')
      const text = console.mock.calls.flat().join('\n')
      expect(text.split('\n')[0]).toContain(first)
      expect(text.split('rejected the client credentials')).toHaveLength(2)
      expect(text).not.toContain('wrong')
    },
  )

  test.each([
    [{ error: 'unauthorized_client' }, 401, 'unauthorized_client'],
    [{ error: 'incorrect_client_credentials' }, 200, 'incorrect_client_credentials'],
    [{}, 401, 'status 401'],
  ])('are recognised in %j with status %i', async (body, status, code) => {
    const expected = `The provider rejected the client credentials (${code}). Check AUTH_OP_SECRET.`
    expect(await messageOf(refuse(body, status))).toContain(expected)
  })

  test('are recognised if the response is not JSON', async () => {
    const token = () => new Response('<h1>Unauthorized</h1>', { status: 401 })
    expect(await messageOf({ token })).toContain('(status 401). Check AUTH_OP_SECRET.')
  })

  test('report client id and authentication method of a client without a secret', async () => {
    const options = { client: { token_endpoint_auth_method: 'none' }, clientSecret: undefined }
    const message = await messageOf(refuse({ error: 'invalid_client' }, 401), options)
    expect(message).toContain('Check AUTH_OP_ID and client.token_endpoint_auth_method')
  })

  test('are not reported for other errors', async () => {
    const message = await messageOf(refuse({ error: 'invalid_grant' }, 400))
    expect(message).not.toContain('credentials')
  })
})

describe('the description of an error of the token endpoint', () => {
  const refusal = (error_description: unknown) =>
    refuse({ error: 'invalid_grant', error_description }, 400)

  test.each([
    ['The code has expired.', 'The code has expired.'],
    ['No ada@example.com in tenant 7', 'No [redacted] in tenant 7'],
    ['', undefined],
    [42, undefined],
    [{ hint: 'none' }, undefined],
  ])('%j is logged as %j', async (sent, providerErrorDescription) => {
    Object.assign(op.misbehaviour, refusal(sent))
    const on = site(op)
    await on.tab.signIn('op')
    expect(on.log.errors).toMatchObject([
      { cause: { providerError: 'invalid_grant', providerErrorDescription } },
    ])
  })

  test('is logged without the secrets of the request', async () => {
    const on = site(op)
    const transaction = await on.tab.begin('op')
    const answer = await op.authorize(transaction.url)
    const code = new URL(answer.url).searchParams.get('code')
    Object.assign(op.misbehaviour, refusal(`Code ${code}, secret ${op.clientSecret}`))
    await transaction.comeBack(answer)
    expect(on.log.errors).toMatchObject([
      { cause: { providerErrorDescription: 'Code [redacted], secret [redacted]' } },
    ])
  })

  test('is logged without the Authorization header', async () => {
    const client = { token_endpoint_auth_method: 'client_secret_basic' }
    const on = site(op, { provider: { client } })
    const inForm = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length)
    const basic = btoa(`${inForm(op.clientId)}:${inForm(op.clientSecret)}`)
    Object.assign(op.misbehaviour, refusal(`Not accepted: Basic ${basic}`))
    await on.tab.signIn('op')
    expect(on.log.errors).toMatchObject([
      { cause: { providerErrorDescription: 'Not accepted: Basic [redacted]' } },
    ])
  })

  test('is readable in an error of token.conform', async () => {
    Object.assign(op.misbehaviour, refusal('The code has expired.'))
    const conform = async (response: Response) => {
      const { error_description } = await response.json()
      throw new Error(`The vendor responded: ${error_description}`)
    }
    const on = site(op, { provider: { ...oauth(op), token: { url: `${op.url}/token`, conform } } })
    await on.tab.signIn('op')
    expect(on.log.errors).toMatchObject([
      { cause: { err: { message: 'The vendor responded: The code has expired.' } } },
    ])
  })
})

describe('a redirect URI that is not registered', () => {
  const register = 'Register https://app.test/auth/callback/op as redirect URI at the provider.'

  test.each([
    [{ error: 'redirect_uri_mismatch' }, '(redirect_uri_mismatch)'],
    [
      { error: 'invalid_grant', error_description: 'redirect_uri does not match' },
      '(invalid_grant)',
    ],
    [{ error: 'invalid_request', error_description: 'Bad redirect URL' }, '(invalid_request)'],
  ])('is reported if the token endpoint returns %j', async (body, code) => {
    const message = await messageOf(refuse(body, 400))
    expect(message).toContain(`The provider rejected the redirect URI ${code}. ${register}`)
  })

  test('is reported if the authorization endpoint rejects it', async () => {
    const message = await messageOf({
      authorization: (parameters) => {
        parameters.delete('code')
        parameters.set('error', 'redirect_uri_mismatch')
        return parameters
      },
    })
    expect(message).toContain(
      `The provider rejected the redirect URI (redirect_uri_mismatch). ${register}`,
    )
  })

  test('is that of the redirect proxy, if there is one', async () => {
    Object.assign(op.misbehaviour, refuse({ error: 'redirect_uri_mismatch' }, 400))
    const preview = deployment(op, PREVIEW)
    const { url } = await op.authorize((await preview.tab.begin('op')).url)
    const sentOn = await arrive(proxyFor(op, [PREVIEW]), url)
    await arrive(preview, sentOn.headers.get('location'))
    expect(preview.log.errors[0]?.message).toContain(`Register ${PROXY}/auth/callback/op `)
  })
})

describe('clock skew', () => {
  const issued = (seconds: number, lifetime = 300) => ({
    idToken: ({ header, claims }: IdTokenDraft): IdTokenDraft => ({
      header,
      claims: { ...claims, iat: now() + seconds, exp: now() + seconds + lifetime },
    }),
  })

  test.each([
    ['behind', 400, 300],
    ['ahead', -400, 300],
    ['ahead', -4000, 86_400],
  ])(
    'of a machine that is %s is reported in seconds (%i s)',
    async (direction, seconds, lifetime) => {
      const message = await messageOf(issued(seconds, lifetime))
      const size = Number(/ (\d+) seconds /.exec(message)?.[1])
      expect(message).toContain('clock')
      expect(message).toContain(`seconds ${direction}`)
      expect(Math.abs(size - Math.abs(seconds))).toBeLessThan(5)
    },
  )

  test('is not reported for a missing re-authentication', async () => {
    const message = await messageOf(
      { idToken: ({ header, claims }) => ({ header, claims: { ...claims, auth_time: 1 } }) },
      { authorization: { params: { max_age: 60 } } },
    )
    expect(message).not.toContain('clock')
  })
})

describe('a provider without a client secret', () => {
  async function problemOf(config: AuthConfig) {
    const response = await browser(config).request('session')
    return response.status
  }

  test.each([undefined, 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'])(
    'is a configuration error at the first request (%s)',
    async (token_endpoint_auth_method) => {
      const client = { ...(token_endpoint_auth_method && { token_endpoint_auth_method }) }
      const { config, log } = configFor(op, {
        providers: [
          oidc(op, { id: 'my-op', client, clientId: undefined, clientSecret: undefined }),
        ],
      })
      setEnvDefaults({ AUTH_MY_OP_ID: 'id' }, config)
      expect(await problemOf(config)).toBe(500)
      expect(log.errors).toMatchObject([{ type: 'InvalidConfiguration' }])
      expect(log.errors[0]?.message).toContain('providers[0] (my-op): clientSecret is missing')
      expect(log.errors[0]?.message).toContain('AUTH_MY_OP_SECRET')
    },
  )

  test('is a configuration error without the key of private_key_jwt', async () => {
    const client = { token_endpoint_auth_method: 'private_key_jwt' }
    const { config, log } = configFor(op, { providers: [oidc(op, { client })] })
    expect(await problemOf(config)).toBe(500)
    expect(log.errors[0]?.message).toContain('token.clientPrivateKey')
  })

  test.each(['none', 'tls_client_auth'])('signs in with %s', async (method) => {
    const client = { token_endpoint_auth_method: method }
    const { config } = configFor(op, { providers: [oidc(op, { client, clientSecret: undefined })] })
    expect(await problemOf(config)).toBe(200)
  })

  test('and without a client id does not affect other providers', async () => {
    const unused = oidc(op, { id: 'unused', clientId: undefined, clientSecret: undefined })
    const { config } = configFor(op, { providers: [unused] })
    expect(await problemOf(config)).toBe(200)
  })
})
