/** Compiled, never run: valid code of an application on Next.js, and the resulting types. */
import type { NextFetchEvent, NextMiddleware, NextProxy, NextRequest } from 'next/server.js'
import { NextResponse } from 'next/server.js'
import type {
  GetServerSideProps,
  GetServerSidePropsContext,
  NextApiHandler,
  NextApiRequest,
  NextApiResponse,
} from 'next/types.js'
import { expectTypeOf, vi } from 'vitest'
import Lib from '../../src/frameworks/next/index.ts'
import type {
  LibConfig,
  LibRequest,
  LibResult,
  NextAuthConfig,
  NextAuthRequest,
  NextAuthResult,
  ProxyHandler,
  RouteContext,
  RouteHandler,
  Session,
} from '../../src/frameworks/next/index.ts'
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
    jwt: ({ token, user }) => (user ? { ...token, plan: 'free' } : token),
  },
} satisfies LibConfig

const { handlers, auth, signIn, signOut, unstable_update: update } = Lib(config)

export const { GET, POST } = handlers
export const lazy: LibResult[] = [
  Lib((request) => (request?.nextUrl.hostname === 'a.test' ? config : { providers: [] })),
  Lib(async () => config),
  Lib({}),
]

// The proxy: `auth` itself, and `auth` around a handler.
export const proxies: NextProxy[] = [
  auth,
  auth((request, event: NextFetchEvent) => {
    expectTypeOf(request).toEqualTypeOf<LibRequest>()
    event.waitUntil(Promise.resolve())
    return request.auth ? undefined : NextResponse.redirect(new URL('/login', request.url))
  }),
  auth((request, event) => {
    expectTypeOf(event).toEqualTypeOf<NextFetchEvent>()
    return request.auth ? undefined : NextResponse.next()
  }),
  auth(({ auth: session }) => (session ? null : NextResponse.json({}, { status: 401 }))),
  lazy[0]?.auth ?? auth,
]
export const middleware: NextMiddleware = auth
export const wrapped: NextMiddleware = auth(({ auth: session }) => void session)
export const edgeRoute: ProxyHandler = auth((request) => Response.json(request.auth))

// Route handlers, as Next checks them.
type NextRoute<Parameters> = (
  request: NextRequest,
  context: { params: Promise<Parameters> },
) => Promise<Response | void> | Response | void
export const routes: NextRoute<{ id: string }>[] = [
  GET,
  auth((request) => Response.json(request.auth)),
  auth(async (request, { params }) => {
    expectTypeOf(request.auth).toEqualTypeOf<Session | null>()
    const { id } = await params
    return new Response(id.trim())
  }),
  auth(() => {}),
]
// Without a contextual type, as in most applications.
const route = auth((request, context) => {
  expectTypeOf(request).toEqualTypeOf<LibRequest>()
  expectTypeOf(context).toEqualTypeOf<RouteContext>()
  return Response.json(request.auth)
})
const typedRoute = auth(async (_request, { params }: { params: Promise<{ slug: string[] }> }) => {
  expectTypeOf(await params).toEqualTypeOf<{ slug: string[] }>()
})
const proxy = auth((_request, event: NextFetchEvent) => event.passThroughOnException())
expectTypeOf(route).toEqualTypeOf<RouteHandler>()
expectTypeOf(proxy).toEqualTypeOf<ProxyHandler>()
expectTypeOf(route).toExtend<NextRoute<object>>()
expectTypeOf(typedRoute).toExtend<NextRoute<{ slug: string[] }>>()
expectTypeOf(typedRoute).not.toExtend<NextRoute<{ slug: string }>>()
expectTypeOf(typedRoute).not.toExtend<NextProxy>()

// The Pages Router.
export const apiRoute: NextApiHandler<Session | null> = async (request, response) => {
  expectTypeOf(await auth(request, response)).toEqualTypeOf<Session | null>()
  response.json(await auth(request, response))
}
export async function apiRouteOf(request: NextApiRequest, response: NextApiResponse<string>) {
  expectTypeOf(await auth(request, response)).toEqualTypeOf<Session | null>()
  expectTypeOf(await auth(request)).toEqualTypeOf<Session | null>()
}
export const getServerSideProps = (async (context) => {
  expectTypeOf(context).toEqualTypeOf<GetServerSidePropsContext>()
  const session = await auth(context)
  expectTypeOf(session).toEqualTypeOf<Session | null>()
  if (!session) return { redirect: { destination: '/login', permanent: false } }
  return { props: { session } }
}) satisfies GetServerSideProps<{ session: Session }>
export const propsOfOne: GetServerSideProps<object, { id: string }> = async (context) => {
  const { params } = context
  return { props: { id: params?.id ?? '', session: await auth(context) } }
}

export async function server(form: FormData): Promise<void> {
  expectTypeOf(await auth()).toEqualTypeOf<Session | null>()
  expectTypeOf<ReturnType<typeof auth>>().toEqualTypeOf<Promise<Session | null>>()
  expectTypeOf(await update({ user: { name: 'Ada' } })).toEqualTypeOf<Session | null>()
  expectTypeOf(await update({ expires: '' })).toEqualTypeOf<Session | null>()
  expectTypeOf<{ user: { name: 1 } }>().not.toExtend<Parameters<typeof update>[0]>()

  expectTypeOf(signIn()).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('github')).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('credentials', form)).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('github', { redirectTo: '/', own: 1 })).toEqualTypeOf<Promise<never>>()
  expectTypeOf(signIn('github', { remember: false })).toEqualTypeOf<Promise<never>>()
  // @ts-expect-error: neither true nor false
  await signIn('github', { remember: 'session' })
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
  expectTypeOf<NextAuthRequest['auth']>().toEqualTypeOf<Session | null>()
  expectTypeOf<keyof LibResult>().toEqualTypeOf<
    | 'account'
    | 'factors'
    | 'handlers'
    | 'auth'
    | 'getAccessToken'
    | 'requestScopes'
    | 'requireAuth'
    | 'sessions'
    | 'signIn'
    | 'signOut'
    | 'unstable_update'
    | 'update'
    | 'passkeys'
    | 'password'
  >()
  expectTypeOf<'raw'>().not.toExtend<keyof LibConfig>()
}

// Mocks in the tests of an application.
vi.mocked(auth).mockResolvedValue({ user: { name: 'Ada' }, expires: '' })
vi.mocked(auth).mockResolvedValue(null)
