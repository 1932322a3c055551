import type { UserinfoEndpoint } from '../core/config/provider.ts'
import type { Profile } from '../core/types.ts'
import { userinfoEndpoint } from './_userinfo.ts'

interface GraphQLResponse {
  readonly data?: Readonly<Record<string, Profile | null>> | null
}

/** Reads the user from a GraphQL API, which reports errors with status 200 and without data. */
export function graphqlUserinfo(
  vendor: string,
  { url, query, member }: { readonly url: string; readonly query: string; readonly member: string },
): UserinfoEndpoint {
  return userinfoEndpoint(vendor, {
    url,
    method: 'POST',
    headers: () => ({ accept: 'application/json', 'content-type': 'application/json' }),
    body: JSON.stringify({ query }),
    read({ data }: GraphQLResponse) {
      const user = data?.[member]
      if (!user) throw new Error(`${vendor} responded with status 200 and no user.`)
      return user
    },
  })
}
