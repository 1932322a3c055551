/** Compiled by `astro check`, never run: valid code of an application, and the resulting types. */
import type { APIContext, APIRoute, AstroGlobal, MiddlewareHandler } from 'astro'
import type { ActionAPIContext } from 'astro:actions'
import { sequence } from 'astro:middleware'
import Lib from 'lib-auth/astro'
import type { AstroContext, Session } from 'lib-auth/astro'
import GitHub from 'lib-auth/providers/github'

const lib = Lib({
  providers: [GitHub],
  callbacks: {
    session: ({ session }): Session & { role: 'admin' | 'user' } => ({ ...session, role: 'user' }),
    authorized: ({ auth, request }) => auth?.role === 'admin' || request.isPrerendered,
  },
})

export const auth = lib.auth
export const onRequest: MiddlewareHandler = sequence(lib.onRequest)
export const ALL: APIRoute = lib.ALL

type Role = 'admin' | 'user' | undefined

export async function read(context: APIContext, page: AstroGlobal): Promise<Role[]> {
  const own: Role = (await context.locals.auth())?.role
  const inferred: Role = (await lib.auth(page))?.role
  const { role } = await lib.protect(page, { allow: (session) => session.role === 'admin' })
  // @ts-expect-error a role that does not exist
  await lib.protect(page, { allow: (session) => session.role === 'owner' })
  // @ts-expect-error the session may be missing
  ;(await lib.auth(page)).role
  // @ts-expect-error not a context
  await lib.auth(page.request)
  return [own, inferred, role]
}

export async function call(context: ActionAPIContext): Promise<Response> {
  await lib.update(context, { user: { name: 'Ada' } })
  // @ts-expect-error a session is not a response
  const wrong: Response = await lib.update(context, {})
  return lib.signIn(context, 'credentials', { redirectTo: '/' }) ?? wrong
}

export const lazy = Lib(({ request, locals }: AstroContext) => ({
  providers: [GitHub],
  basePath: request.url.length > 0 && 'auth' in locals ? '/auth' : '/api/auth',
}))

// @ts-expect-error not a configuration
Lib({ providers: [GitHub], sesion: {} })
