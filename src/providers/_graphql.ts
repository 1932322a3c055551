import type { UserinfoEndpoint } from '../config/provider.ts'
import type { Profile } from '../types.ts'

/** Reads the user from a GraphQL API, which reports errors with status 200 and without data. */
export function graphqlUserinfo(
  vendor: string,
  { url, query, member }: { readonly url: string; readonly query: string; readonly member: string },
): UserinfoEndpoint {
  return {
    url,
    async request({ tokens, provider }) {
      const response = await provider.fetch(provider.userinfo?.url ?? url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens.access_token}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      })
      if (!response.ok) throw new Error(`${vendor} responded with status ${response.status}.`)
      const { data }: { data?: Readonly<Record<string, Profile | null>> | null } =
        await response.json()
      const user = data?.[member]
      if (!user) throw new Error(`${vendor} responded with status 200 and no user.`)
      return user
    },
  }
}
