import { AuthError } from '../errors/base.ts'
import { isOrigin, publicOrigin } from '../http/origin.ts'
import { trustFromEnv, urlFrom } from '../variables.ts'
import type { Environment } from '../variables.ts'
import { parseUrl } from './env.ts'

function originOf(url: URL, headers: Headers, configured: string | undefined): string {
  const origin = configured !== undefined && isOrigin(configured) ? configured : undefined
  try {
    return publicOrigin(url, headers, { origin, trustHost: true })
  } catch (error) {
    // With the resolved configuration, the request is rejected for the same reason.
    if (error instanceof AuthError) return url.origin
    throw error
  }
}

/** The origin from `AUTH_URL` or from trusted headers, and the headers without any other host. */
export function trustedRequest(
  env: Environment,
  request: Pick<Request, 'url' | 'headers'>,
): { readonly origin: string; readonly headers: Headers } {
  const named = urlFrom(env)
  const configured = named === undefined ? undefined : parseUrl(named).origin
  const headers = new Headers(request.headers)
  headers.delete('forwarded')
  if (!trustFromEnv(env)) headers.delete('x-forwarded-host')
  const origin = originOf(new URL(request.url), headers, configured)
  const { host } = new URL(origin)
  const forwarded = headers.get('x-forwarded-host')?.split(',') ?? []
  if (forwarded.some((each) => each.trim() === host)) headers.set('x-forwarded-host', host)
  else headers.delete('x-forwarded-host')
  headers.set('host', host)
  return { origin, headers }
}
