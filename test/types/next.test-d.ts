/** Compiled, never run: what an application on Next.js may write, and which types it gets. */
import type { GetServerSideProps, NextApiRequest, NextApiResponse } from 'next/types.js'
import type { NextFetchEvent, NextMiddleware, NextProxy, NextRequest } from 'next/server.js'
import { NextResponse } from 'next/server.js'
import { expectTypeOf } from 'vitest'
import Lib from '../../src/next/index.ts'
import type {
  LibConfig,
  LibRequest,
  LibResult,
  NextAuthConfig,
  NextAuthRequest,
  NextAuthResult,
  RouteContext,
  Session,
} from '../../src/next/index.ts'
import GitHub from '../../src/providers/github.ts'

const config = {
  providers: [GitHub],
  pages: { signIn: '/login' },
  callbacks: {
    authorized({ request, auth }) {
      expectTypeOf(request).toEqualTypeOf<NextRequest>()
      expectTypeOf(auth).toEqualTypeOf<Session | null>()
      if (request.nextUrl.pathname === '/old') return NextResponse.redirect(request.nextUrl)
      return auth?.user?.email ? Boolean(auth.user) : undefined
    },
    session: ({ session, token }) => {
      session.user.id = token.sub ?? ''
      return session
    },
  },
} satisfies LibConfig

const { handlers, auth, signIn, signOut, unstable_update: update } = Lib(config)

export const { GET, POST } = handlers
export const lazy: LibResult[] = [
  Lib((request) => (request?.nextUrl.hostname === 'a.test' ? config : { providers: [] })),
  Lib(async () => config),
  Lib({}),
]

// The proxy: as it is, and around a handler.
export const proxies: NextProxy[] = [
  auth,
  auth((request, event: NextFetchEvent) => {
    expectTypeOf(request).toEqualTypeOf<LibRequest>()
    event.waitUntil(Promise.resolve())
    return request.auth ? undefined : NextResponse.redirect(new URL('/login', request.url))
  }),
  lazy[0]?.auth ?? auth,
]
export const middleware: NextMiddleware = auth

// Route handlers, as Next checks them.
type NextRoute = (
  request: NextRequest,
  context: { params: Promise<{ id: string }> },
) => Promise<Response> | Response
export const routes: NextRoute[] = [
  GET,
  auth((request) => Response.json(request.auth)),
  auth(async (request, { params }) => {
    expectTypeOf(request.auth).toEqualTypeOf<Session | null>()
    const { id } = await params
    return new Response(String(id))
  }),
  auth(() => {}),
]

// The Pages Router.
export async function apiRoute(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const session = await auth(request, response)
  expectTypeOf(session).toEqualTypeOf<Session | null>()
  response.json(session)
}
export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await auth(context)
  expectTypeOf(session).toEqualTypeOf<Session | null>()
  return { props: { session } }
}

export async function server(form: FormData): Promise<void> {
  expectTypeOf(await auth()).toEqualTypeOf<Session | null>()
  expectTypeOf(
    auth((_request, context) => void expectTypeOf(context).toEqualTypeOf<RouteContext>()),
  )
  expectTypeOf(await update({ user: { name: 'Ada' } })).toEqualTypeOf<Session | null>()
  expectTypeOf(await update({ expires: '' })).toEqualTypeOf<Session | null>()

  expectTypeOf(signIn()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('github')).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('credentials', form)).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('github', { redirectTo: '/', own: 1 })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(await signIn('github', { redirect: false })).toBeAny()
  const parameters = [
    { prompt: 'login' },
    'prompt=login',
    new URLSearchParams(),
    [['a', 'b']],
  ] as const
  expectTypeOf<(typeof parameters)[0 | 1 | 2]>().toExtend<Parameters<typeof signIn>[2]>()
  expectTypeOf<[string, string][]>().toExtend<Parameters<typeof signIn>[2]>()
  expectTypeOf(signOut({ redirectTo: '/' })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(await signOut({ redirect: false })).toBeAny()
  expectTypeOf<[{ redirect: 'no' }]>().not.toExtend<Parameters<typeof signOut>>()
}

export function names(): void {
  expectTypeOf<NextAuthConfig>().toEqualTypeOf<LibConfig>()
  expectTypeOf<NextAuthResult>().toEqualTypeOf<LibResult>()
  expectTypeOf<NextAuthRequest>().toEqualTypeOf<LibRequest>()
  expectTypeOf<keyof LibResult>().toEqualTypeOf<
    'handlers' | 'auth' | 'signIn' | 'signOut' | 'unstable_update' | 'update'
  >()
  expectTypeOf<'raw'>().not.toExtend<keyof LibConfig>()
}
