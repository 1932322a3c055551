import type { RevocationEndpoint, TokensRequest } from '../core/config/provider.ts'

/** Revokes the access token with which the request is authorized (RFC 6750 §2.1). */
export function bearerRevocation(url: string): RevocationEndpoint {
  const request = async ({ tokens, provider }: TokensRequest) =>
    provider.fetch(provider.revocation?.url ?? url, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
  return { url, request }
}

/** Sends the access token and other members as JSON. */
export function jsonRevocation(
  url: string,
  describe: (request: TokensRequest) => { headers?: Record<string, string>; body?: object },
): RevocationEndpoint {
  const request = async (given: TokensRequest) => {
    const { headers, body } = describe(given)
    return given.provider.fetch(given.provider.revocation?.url ?? url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token: given.tokens.access_token, ...body }),
    })
  }
  return { url, request }
}
