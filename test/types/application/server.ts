/** Where an application on Next.js asks who is signed in, and what it does with the answer. */
import { AuthError, CredentialsSignin } from 'lib-auth/next'
import type {
  LibConfig,
  LibRequest,
  NextAuthConfig,
  NextAuthRequest,
  NextAuthResult,
  RouteContext,
  Session,
} from 'lib-auth/next'
import Lib from 'lib-auth/next'
import type { NextFetchEvent, NextMiddleware, NextRequest } from 'next/server.js'
import { NextResponse } from 'next/server.js'
import type { GetServerSideProps, NextApiHandler } from 'next/types.js'
import { auth, handlers, signIn, signOut, update } from './auth.js'
import type { AppSession } from './auth.js'
import { is } from './same.js'

type Role = 'admin' | 'guest'

export const { GET, POST } = handlers
export const proxy: NextMiddleware = auth
export const wrapped: NextMiddleware = auth((request, event) => {
  is<NextFetchEvent>()(event)
  is<LibRequest<AppSession>>()(request)
  is<AppSession | null>()(request.auth)
  return request.auth ? undefined : NextResponse.redirect(new URL('/login', request.url))
})

type NextRoute<Parameters> = (
  request: NextRequest,
  context: { params: Promise<Parameters> },
) => Promise<Response | void> | Response | void

export const route = auth((request, context) => {
  is<RouteContext>()(context)
  is<Role | undefined>()(request.auth?.role)
  return Response.json(request.auth)
})
export const typedRoute = auth(
  async (_request, { params }: { params: Promise<{ id: string }> }) => {
    is<string>()((await params).id)
  },
)
export const routes: [NextRoute<object>, NextRoute<{ id: string }>] = [route, typedRoute]

export const apiRoute: NextApiHandler = async (request, response) => {
  const session = await auth(request, response)
  is<AppSession | null>()(session)
  response.json(session)
}
export const getServerSideProps: GetServerSideProps<object, { id: string }> = async (context) => {
  const session = await auth(context)
  is<AppSession | null>()(session)
  return { props: { session } }
}

export async function component(): Promise<string> {
  const session = await auth()
  is<AppSession | null>()(session)
  is<Role | undefined>()(session?.role)
  is<string | null | undefined>()(session?.user.name)
  return session?.user.name ?? 'nobody'
}

export async function action(form: FormData): Promise<string> {
  try {
    await signIn('credentials', form)
  } catch (error) {
    if (error instanceof CredentialsSignin) return error.code
    if (error instanceof AuthError) return error.type
    throw error
  }
  is<AppSession | null>()(await update({ user: { name: 'Ada' } }))
  is<AppSession | null>()(await update({ role: 'admin' }))
  return await signOut({ redirectTo: '/' })
}

// The names that applications know from elsewhere, without type arguments.
export const config: NextAuthConfig = { callbacks: { session: ({ session }) => session } }
export const result: NextAuthResult = Lib(config)
export const handler = (request: NextAuthRequest): Session | null => request.auth
is<Promise<Session | null>>()(result.auth())

// A configuration that stands elsewhere, and one for each request.
const kept = {
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
} satisfies LibConfig
export const others = [
  Lib(kept).auth,
  Lib((request) => (request ? kept : { ...kept })).auth,
  Lib(async () => kept).auth,
  // The compiler has not seen `session` when it comes to `authorized`, which alone knows less for that.
  Lib({ callbacks: { authorized: ({ auth: session }) => Boolean(session), ...kept.callbacks } })
    .auth,
  Lib({
    callbacks: {
      authorized: ({ auth: session }) => Boolean(session?.user),
      session: async ({ session, user }) => ({ ...session, id: user.id, role: 'admin' as const }),
    },
  }).auth,
]
export const roles: Promise<'admin' | undefined>[] = others.map(
  async (other) => (await other())?.role,
)
