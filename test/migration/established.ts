/** The same site, as it was before: on `@auth/core`, which is run as it is published. */
import { Auth, customFetch } from '@auth/core'
import type { AuthConfig as EstablishedConfig } from '@auth/core'
import { encode } from '@auth/core/jwt'
import type { AuthConfig } from '../../src/index.ts'
import type { Browser, Issuer } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import { readWith, cookiesSetBy } from '../sessions.ts'

export const OLD_SECURE = '__Secure-authjs.session-token'
export const OLD_PLAIN = 'authjs.session-token'

/** The options that both libraries have, as they are written for both. */
export type SharedConfig = Pick<
  AuthConfig,
  'adapter' | 'session' | 'secret' | 'useSecureCookies' | 'cookies'
> & {
  /** Claims that the application adds to its tokens. */
  readonly claims?: object
}

function establishedConfig(op: Issuer, { claims, ...shared }: SharedConfig): EstablishedConfig {
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
    logger: { error: (error) => expectNone(error), warn: () => undefined },
    callbacks: { jwt: ({ token }) => ({ ...token, ...claims }) },
    ...(shared as Partial<EstablishedConfig>),
  }
}

function expectNone(error: Error): never {
  throw error
}

/** Signs Ada in there, with a browser whose cookies the site of today gets to see. */
export async function signInBefore(tab: Browser, op: Issuer, shared: SharedConfig): Promise<void> {
  const config = establishedConfig(op, shared)
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
  if (session === null) throw new Error('Ada was not signed in before.')
}

/** What {@link oldCookie} is made with. */
export interface OldCookie {
  readonly secret?: string
  readonly name?: string
  readonly salt?: string
  readonly maxAge?: number
}

/** A token of the library before, in its cookie. */
export async function oldCookie(
  claims: object,
  { secret = SECRET, name = OLD_SECURE, salt, maxAge = 24 * 60 * 60 }: OldCookie = {},
): Promise<string> {
  return `${name}=${await encode({ token: { ...claims }, secret, salt: salt ?? name, maxAge })}`
}

/** What the browser sees, and which cookies are written. */
export async function seen(cookie: string, config: AuthConfig): Promise<[string | null, string[]]> {
  const { session, headers } = await readWith(cookie, config)
  return [session?.user?.name ?? null, cookiesSetBy({ headers }).sort()]
}
