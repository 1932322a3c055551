/** Responses of the token endpoint (RFC 6749 §5). */
import type { TokenEndpoint } from '../../config/provider.ts'
import { epochSeconds } from '../../crypto/seal.ts'
import { callHook } from '../../hooks.ts'
import { asRecord, isRecord } from '../../is-record.ts'
import type { TokenSet } from '../../types.ts'
import { describeError, readErrorCode, rejectClientError } from './failure.ts'
import type { OAuthProvider } from './provider.ts'

/** Limit for `expires_in`, in seconds: ten years. */
const MAX_EXPIRES_IN = 10 * 365 * 24 * 60 * 60

/** Names of members that describe an error; their texts are not secret. */
const DESCRIPTION = /^(?:err|message|msg|status|reason|detail)/i

const isDescription = (name: string, value: unknown) =>
  DESCRIPTION.test(name) && typeof value !== 'object'

/** Values of a response body to redact from errors. RFC 6749 §5.1 requires JSON, but some providers send a form. */
function readContent(text: string): object {
  try {
    return [text, JSON.parse(text, (name, value) => (isDescription(name, value) ? null : value))]
  } catch {
    const fields = [...new URLSearchParams(text)].filter((field) => !isDescription(...field))
    return [text, ...fields.map(([, value]) => value)]
  }
}

/** Lets the provider's module correct a response that does not follow RFC 6749. */
export async function conformResponse(
  provider: OAuthProvider,
  answer: Response,
  conform: TokenEndpoint['conform'],
): Promise<Response> {
  if (!conform) return answer
  provider.secrets.add(readContent(await answer.clone().text()))
  const conformed = await callHook(provider, {
    what: `token.conform of provider ${provider.id}`,
    run: () => conform(answer.clone()),
  })
  return conformed ?? answer
}

/**
 * Parses the JSON body and drops members with the value `null`, which some providers send for missing ones.
 *
 * @param redirectUri - that of the request; `null` if it had none
 */
export async function parseTokens(
  provider: OAuthProvider,
  answer: Response,
  redirectUri: string | null,
): Promise<Record<string, unknown>> {
  const { status } = answer
  if (status >= 300 && status < 400)
    throw Object.assign(
      new Error(
        `The token endpoint redirected the request (${status}), which would send secrets to another URL, so it was not followed. Configure the URL of the endpoint itself.`,
      ),
      { status },
    )
  const json: unknown = await answer.json().catch(() => null)
  provider.secrets.addKeysOf(json)
  const { error: code, error_description: description } = asRecord(json)
  const facts = {
    error: readErrorCode(provider, code),
    status,
    providerErrorDescription: describeError(provider, description),
  }
  rejectClientError(provider, { error_description: description, ...facts }, redirectUri)
  if (!isRecord(json))
    throw Object.assign(new Error('The token endpoint did not return a JSON object.'), { status })
  const members = Object.entries(json).filter(([, value]) => value !== null)
  const body: Record<string, unknown> = Object.fromEntries(members)
  // Some providers send an error with status 200 (RFC 6749 §5.2 requires 400 or 401).
  if (facts.error !== undefined)
    throw Object.assign(new Error('The token endpoint rejected the request.'), facts)
  return body
}

/** With `expires_at`, in seconds since the epoch. */
export function withExpiry(tokens: TokenSet): TokenSet {
  // Some providers send 0 for a token that does not expire or whose lifetime is unknown.
  if (!tokens.expires_in) return tokens
  const lifetime = Math.min(Math.floor(tokens.expires_in), MAX_EXPIRES_IN)
  return { ...tokens, expires_at: epochSeconds() + lifetime }
}
