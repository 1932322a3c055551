/** The same site on the published `@auth/core`. */
import { Auth, customFetch } from '@auth/core'
import type { AuthConfig as NextAuthConfig } from '@auth/core'
import { encode } from '@auth/core/jwt'
import type { AuthConfig } from '../../../src/index.ts'
import type { Browser, Issuer } from '../../../src/testing/index.ts'
import { SECRET } from '../../config.ts'
import { readWith, cookiesSetBy } from '../../sessions.ts'

export const OLD_SECURE = '__Secure-authjs.session-token'
export const OLD_PLAIN = 'authjs.session-token'

/** Options of both libraries. */
export type SharedConfig = Pick<
  AuthConfig,
  'adapter' | 'session' | 'secret' | 'useSecureCookies' | 'cookies'
> & {
  /** Claims that the application adds to its tokens. */
  readonly claims?: object
}

function nextAuthConfig(op: Issuer, { claims, ...shared }: SharedConfig): NextAuthConfig {
  return {
    secret: SECRET,
    trustHost: true,
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: op.url,
        clientId: op.clientId,
        clientSecret: op.clientSecret,
        checks: ['pkce', 'state', 'nonce'],
        [customFetch]: op.fetch,
      },
    ],
    logger: { error: (error) => rethrow(error), warn: () => undefined },
    callbacks: { jwt: ({ token }) => ({ ...token, ...claims }) },
    ...(shared as Partial<NextAuthConfig>),
  }
}

function rethrow(error: Error): never {
  throw error
}

/** Signs Ada in with `@auth/core`, in a browser that the migrated site uses afterwards. */
export async function signInWithPeer(
  tab: Browser,
  op: Issuer,
  shared: SharedConfig,
): Promise<void> {
  const config = nextAuthConfig(op, shared)
  async function send(target: string, form?: Record<string, string>): Promise<Response> {
    const url = new URL(target, `${tab.origin}/auth/`)
    const method = form ? 'POST' : 'GET'
    const cookie = tab.cookies.header({ url, method, initiator: 'same-site' })
    const headers = { host: url.host, ...(cookie && { cookie }) }
    const body = form && new URLSearchParams(form)
    const request = new Request(url, { method, headers, ...(body && { body }) })
    const response = await Auth(request, config)
    for (const each of response.headers.getSetCookie()) tab.cookies.accept(each, url)
    return response
  }
  const { csrfToken } = (await (await send('csrf')).json()) as { csrfToken: string }
  const begun = await send('signin/op', { csrfToken })
  const { url } = await op.authorize(begun.headers.get('location') ?? '')
  await send(url)
  const session: unknown = await (await send('session')).json()
  if (session === null) throw new Error('The sign-in with @auth/core failed.')
}

/** Settings of {@link oldCookie}. */
export interface OldCookie {
  readonly secret?: string
  readonly name?: string
  readonly salt?: string
  readonly maxAge?: number
}

/** A cookie with a session token of `@auth/core`. */
export async function oldCookie(
  claims: object,
  { secret = SECRET, name = OLD_SECURE, salt, maxAge = 24 * 60 * 60 }: OldCookie = {},
): Promise<string> {
  return `${name}=${await encode({ token: { ...claims }, secret, salt: salt ?? name, maxAge })}`
}

/** The name in the session, and the cookies that the response sets or deletes. */
export async function outcomeOf(
  cookie: string,
  config: AuthConfig,
): Promise<[string | null, string[]]> {
  const { session, headers } = await readWith(cookie, config)
  return [session?.user?.name ?? null, cookiesSetBy({ headers }).sort()]
}
