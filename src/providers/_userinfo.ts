import type { UserinfoEndpoint, UserinfoRequest } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'

/** What differs from a GET request with a bearer token whose response is the profile. */
interface UserinfoOptions<Body> {
  readonly url: string
  readonly method?: 'POST'
  readonly body?: string
  /** Headers besides `authorization: Bearer <access token>` (RFC 6750 §2.1). */
  readonly headers?: (request: UserinfoRequest) => Readonly<Record<string, string>>
  /** Returns the profile of the response; throws for an error with status 200. */
  readonly read?: (body: Body) => Profile
}

/** A userinfo endpoint whose request or response differs from the standard; `vendor` is its name in errors. */
export function userinfoEndpoint<Body>(
  vendor: string,
  { url, headers, read, ...init }: UserinfoOptions<Body>,
): UserinfoEndpoint {
  return {
    url,
    async request(request) {
      const { tokens, provider } = request
      const authorization = `Bearer ${tokens.access_token}`
      const response = await provider.fetch(provider.userinfo?.url ?? url, {
        ...init,
        headers: { authorization, ...headers?.(request) },
      })
      if (!response.ok) throw new Error(`${vendor} responded with status ${response.status}.`)
      const body = await response.json()
      return read ? read(body) : body
    },
  }
}
