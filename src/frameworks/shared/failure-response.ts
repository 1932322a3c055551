import { lazily } from '../../core/async/cache.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { rowOf } from '../../core/errors/table.ts'
import { NOT_SHARED, withHeaders } from './cookies.ts'
import { isNavigation } from './navigation.ts'

// Loaded on demand: needed only for a failure.
const loadFailure = lazily(() => import('../../core/failure.ts'))

/** The part of a request that decides about a response. */
export interface RequestInfo {
  readonly method: string
  readonly headers: Headers
  readonly url: URL
}

/**
 * The response for one of our errors, such as an outage while the session is read.
 *
 * @param scriptHeaders - headers that scripts of the framework send
 * @throws every other error, for the framework to handle
 */
export async function failureResponse(
  error: unknown,
  { method, headers, url }: RequestInfo,
  { theme }: Pick<AuthConfig, 'theme'>,
  scriptHeaders: readonly string[] = [],
): Promise<Response> {
  if (!(error instanceof Error && rowOf(error))) throw error
  const { sessionFailureResponse } = await loadFailure()
  const request = new Request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers })
  const reads = isNavigation(headers, scriptHeaders) ? 'page' : 'text'
  return withHeaders(await sessionFailureResponse(error, request, { reads, theme }), NOT_SHARED)
}
