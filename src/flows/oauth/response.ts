/** Reads and validates the authorization response (RFC 6749 §4.1.2, RFC 9207). */
import { AuthorizationResponseError, skipStateCheck, validateAuthResponse } from 'oauth4webapi'
import type { AuthorizationServer, Client } from 'oauth4webapi'
import type { Context, Reply } from '../../contracts.ts'
import { open, seal } from '../../crypto/seal.ts'
import { InvalidRequest } from '../../errors/request.ts'
import { OAuthCallbackError } from '../../errors/sign-in.ts'
import { callbackError, orCallbackError } from './failure.ts'
import type { OAuthProvider } from './provider.ts'
import { explainRefusal } from './refusal.ts'
import { expectedIssuer, NO_ISSUER } from './server.ts'

const KEY = { salt: 'lib.form-post', family: 'internal' } as const
/** Seconds between the form post of the provider and the redirected request. */
const FORM_POST_MAX_AGE = 60

/** Maximum lengths of untrusted parameters. */
const LIMITS: Readonly<Record<string, number>> = { code: 4096, state: 1024, iss: 512, error: 64 }

/** Parameters of other flows; tokens in a query leak through logs and the Referer header (RFC 9700 §2.1.2). */
const FOREIGN = ['access_token', 'id_token', 'token', 'response']

function refuseLong(parameters: URLSearchParams): void {
  for (const [name, limit] of Object.entries(LIMITS))
    if ((parameters.get(name)?.length ?? 0) > limit)
      throw new InvalidRequest(`The parameter "${name}" exceeds ${limit} characters.`)
}

/** Rejects a malformed response before any request to the provider. */
export function refuseStrange(parameters: URLSearchParams): void {
  refuseLong(parameters)
  for (const name of FOREIGN)
    if (parameters.has(name))
      throw new OAuthCallbackError(
        `The authorization response contains ${name}, which the authorization code flow does not use.`,
      )
}

/**
 * Redirects a form post to this site, or to its deployment, because browsers send SameSite cookies only with the
 * redirected request (OAuth 2.0 Form Post Response Mode). The parameters are sealed, to keep them out of logs.
 */
export async function forward(
  ctx: Context,
  parameters: URLSearchParams,
  deployment: string | null,
): Promise<Reply> {
  refuseLong(parameters)
  // Another deployment can open only what is sealed with the shared proxy secrets.
  const secrets = deployment === null ? ctx.config.secrets : ctx.config.proxySecrets
  const form = await seal(Object.fromEntries(parameters), {
    secrets,
    ...KEY,
    maxAge: FORM_POST_MAX_AGE,
  })
  const target = deployment ?? ctx.origin + new URL(ctx.request.original.url).pathname
  return { status: 303, redirect: `${target}?form=${form}` }
}

function textOf(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    // The ID token is read from the token endpoint; a second one would only make the URL longer.
    if (typeof value === 'string' && name !== 'id_token') parameters.set(name, value)
  return parameters
}

/** Returns the parameters of the response; empty if a forwarded form has expired. */
export async function read({ request, config }: Context): Promise<URLSearchParams> {
  if (request.method === 'POST') return textOf(request.body)
  const form = request.url.searchParams.get('form')
  if (form === null) return new URLSearchParams(request.url.searchParams)
  const secrets = [...config.secrets, ...config.proxySecrets]
  return textOf((await open(form, { secrets, ...KEY })) ?? {})
}

export interface ResponseFacts {
  readonly server: AuthorizationServer
  readonly client: Client
  /** `undefined` if the provider is configured without state. */
  readonly state: string | undefined
  readonly redirectUri: string
}

function issuerOf(
  provider: OAuthProvider,
  server: AuthorizationServer,
  stated: string | null,
): string {
  const issuer = expectedIssuer(provider, server)
  if (stated === null) return issuer
  if (provider.isIssuer(stated, { issuer })) return stated
  throw new Error(
    'The iss of the authorization response is not the issuer of the provider (RFC 9207).',
  )
}

/** Validates issuer (RFC 9207 §2.4) and state, and rejects an error response with OAuthCallbackError. */
export async function validate(
  provider: OAuthProvider,
  parameters: URLSearchParams,
  { server, client, state, redirectUri }: ResponseFacts,
): Promise<URLSearchParams> {
  const checked = new URLSearchParams(parameters)
  // Without a configured or discovered issuer, `iss` cannot be validated.
  if (server.issuer === NO_ISSUER) checked.delete('iss')
  const refused = `Provider ${provider.id} refused the sign-in, or its answer is not valid.`
  return orCallbackError(provider.id, refused, () => {
    const issuer = issuerOf(provider, server, checked.get('iss'))
    try {
      return validateAuthResponse({ ...server, issuer }, client, checked, state ?? skipStateCheck)
    } catch (error) {
      if (!(error instanceof AuthorizationResponseError)) throw error
      const message = explainRefusal(provider, Object.fromEntries(checked), redirectUri)
      throw message === undefined ? error : callbackError(message, error, provider.id)
    }
  })
}
