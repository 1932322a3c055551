import type { Endpoint } from '../../config/provider.ts'

/** How the authorization response arrives (OAuth 2.0 Form Post Response Mode). */
export type ResponseMode = 'query' | 'form_post'

export function responseModeOf(authorization: string | Endpoint | undefined): ResponseMode {
  const { url, params }: Endpoint =
    typeof authorization === 'string' ? { url: authorization } : (authorization ?? {})
  const inUrl = url && URL.canParse(url) ? new URL(url).searchParams.get('response_mode') : null
  return (params?.['response_mode'] ?? inUrl) === 'form_post' ? 'form_post' : 'query'
}
