/** Compiled, never run: valid code of a React application, and the resulting types. */
import type { ReactNode } from 'react'
import { expectTypeOf, vi } from 'vitest'
import Lib from '../../src/frameworks/next/index.ts'
import {
  getCsrfToken,
  getProviders,
  getSession,
  SessionProvider,
  signIn,
  signOut,
  useSession,
} from '../../src/browser/react/index.ts'
import type {
  ClientSafeProvider,
  GetSessionParams,
  Session,
  SessionContextValue,
  SessionOf,
  SessionProviderProps,
  SignInErrorType,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
  UpdateSession,
} from '../../src/browser/react/index.ts'

export function Component(): ReactNode {
  const { data, status, update } = useSession()
  expectTypeOf(status).toEqualTypeOf<'authenticated' | 'unauthenticated' | 'loading'>()
  expectTypeOf(data).toEqualTypeOf<Session | null>()
  expectTypeOf(update).toEqualTypeOf<UpdateSession>()
  expectTypeOf(update({ user: { name: 'Ada' } })).toEqualTypeOf<Promise<Session | null>>()
  if (status === 'authenticated') return data.user?.name
  expectTypeOf(data).toBeNull()
  return null
}

export function Secret({ isNeeded }: { readonly isNeeded: boolean }): ReactNode {
  const session = useSession({ required: true, onUnauthenticated: () => {} })
  expectTypeOf(session.status).toEqualTypeOf<'authenticated' | 'loading'>()
  if (session.status !== 'loading') expectTypeOf(session.data).toEqualTypeOf<Session>()
  expectTypeOf(useSession({ required: false })).toEqualTypeOf<SessionContextValue>()
  expectTypeOf(useSession({ onUnauthenticated() {} }).data).toEqualTypeOf<Session | null>()
  expectTypeOf(useSession({ required: isNeeded }).data).toEqualTypeOf<Session | null>()
  return null
}

/** Each state has its own type, so that the compiler checks for missing ones. */
export function greeting(session: SessionContextValue): string {
  switch (session.status) {
    case 'authenticated':
      return session.data.user?.name ?? 'You'
    case 'loading':
      expectTypeOf(session).toEqualTypeOf<Extract<SessionContextValue, { status: 'loading' }>>()
      return '…'
    case 'unauthenticated':
      expectTypeOf(session.data).toBeNull()
      return 'Hello'
  }
}

/** A constructed state, as in tests and stories. */
export function standIn(isKnown: boolean): SessionContextValue {
  const status = isKnown ? 'unauthenticated' : 'loading'
  return { data: null, status, update: async () => null }
}

const { auth } = Lib({
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
})
type TypedSession = SessionOf<typeof auth>

/** What the `session` callback returns is the type in the browser, too. */
export function Role({ isNeeded }: { readonly isNeeded: boolean }): ReactNode {
  const { data, status, update } = useSession<typeof auth>()
  expectTypeOf(data).toEqualTypeOf<TypedSession | null>()
  expectTypeOf(data?.role).toEqualTypeOf<'admin' | undefined>()
  expectTypeOf(status).toEqualTypeOf<'authenticated' | 'unauthenticated' | 'loading'>()
  expectTypeOf(update).toEqualTypeOf<UpdateSession<TypedSession>>()
  expectTypeOf(update({ role: 'guest' })).toEqualTypeOf<Promise<TypedSession | null>>()
  if (status === 'authenticated') expectTypeOf(data.role).toEqualTypeOf<'admin'>()

  const needed = useSession<typeof auth>({ required: true, onUnauthenticated: () => {} })
  expectTypeOf(needed).toEqualTypeOf<SessionContextValue<true, TypedSession>>()
  expectTypeOf(needed.status).toEqualTypeOf<'authenticated' | 'loading'>()
  const optional = useSession<typeof auth>({ required: isNeeded })
  expectTypeOf(optional).toEqualTypeOf<SessionContextValue<false, TypedSession>>()
  expectTypeOf(useSession<true>({ required: true })).toEqualTypeOf<SessionContextValue<true>>()
  expectTypeOf<ReturnType<typeof useSession>['data']>().toEqualTypeOf<Session | null>()
  return data?.role
}

/** The provider accepts the session of the server. */
export async function Layout(): Promise<ReactNode> {
  const props: SessionProviderProps<TypedSession> = { session: await auth(), children: null }
  return (
    <SessionProvider session={await auth()}>
      <SessionProvider {...props} />
    </SessionProvider>
  )
}

export function Page(props: SessionProviderProps): ReactNode {
  const session: Session | null | undefined = props.session
  return (
    <SessionProvider
      session={session}
      basePath="/auth"
      baseUrl=""
      refetchInterval={60}
      refetchWhenOffline={false}
    >
      <Component />
      <button type="button" onClick={() => void signIn('github')} />
      <button type="button" onClick={() => void signOut({ redirectTo: '/' })} />
      <form action={(form) => signIn('credentials', form)} />
      <form action={signOut} />
    </SessionProvider>
  )
}

export async function functions(redirect: boolean): Promise<void> {
  expectTypeOf(await getSession()).toEqualTypeOf<Session | null>()
  expectTypeOf(await getProviders()).toEqualTypeOf<Record<string, ClientSafeProvider> | null>()
  expectTypeOf(await signIn()).toBeVoid()
  expectTypeOf(await signIn('op', { redirectTo: '/', own: 1, remember: false })).toBeVoid()
  // @ts-expect-error: neither true nor false
  await signIn('op', { remember: 'session' })
  expectTypeOf(
    await signIn('op', { redirect: false }, { prompt: 'login' }),
  ).toEqualTypeOf<SignInResponse>()
  expectTypeOf(await signIn('op', { redirect })).toEqualTypeOf<SignInResponse | void>()
  expectTypeOf(await signOut()).toBeVoid()
  expectTypeOf(await signOut({ redirect: false })).toEqualTypeOf<SignOutResponse>()
}

/** The result with redirect: false. */
export async function messageFor(form: FormData): Promise<string> {
  const password = form.get('password')
  const result = await signIn('credentials', { password, redirect: false })
  if (result.error === undefined) {
    expectTypeOf(result.url).toEqualTypeOf<string>()
    return result.url
  }
  expectTypeOf(result.url).toBeNull()
  expectTypeOf(result.error).toEqualTypeOf<SignInErrorType>()
  const own: SignInErrorType = 'NotInvited'
  if (result.error === own) return 'Ask for an invitation.'
  return result.error === 'CredentialsSignin' ? `Wrong: ${result.code ?? ''}` : 'Try again later.'
}

export async function onServer(
  context: { req: { headers: { cookie?: string } } },
  request: Request,
): Promise<void> {
  expectTypeOf(await getSession(context)).toEqualTypeOf<Session | null>()
  expectTypeOf(await getSession(request)).toEqualTypeOf<Session | null>()
  expectTypeOf(await getSession({ headers: request.headers })).toEqualTypeOf<Session | null>()
  expectTypeOf(await getCsrfToken(context)).toEqualTypeOf<string>()
}

// Mocks in the tests of an application.
vi.mocked(useSession).mockReturnValue({
  data: null,
  status: 'unauthenticated',
  update: async () => null,
})

/** Options in variables. */
export async function writtenDown(
  stay: SignInOptions<false>,
  leave: SignInOptions<true>,
  out: SignOutParams<false>,
  either: SignInOptions,
): Promise<void> {
  expectTypeOf(await signIn('op', stay)).toEqualTypeOf<SignInResponse>()
  expectTypeOf(await signIn('op', leave)).toBeVoid()
  expectTypeOf(await signIn('op', either)).toEqualTypeOf<SignInResponse | void>()
  expectTypeOf(await signOut(out)).toEqualTypeOf<SignOutResponse>()
  expectTypeOf<SignInOptions<false>['redirect']>().toEqualTypeOf<false | undefined>()
  expectTypeOf<SignOutParams['redirect']>().toEqualTypeOf<boolean | undefined>()
  // @ts-expect-error -- it stays on the page
  const wrong: SignInOptions<false> = { redirect: true }
  await signIn('op', wrong)
}

/** Arguments of applications that were written for other clients. */
export function handedOver(params: GetSessionParams): Promise<Session | null> {
  const rename: UpdateSession = async (data: { readonly name: string }) => {
    expectTypeOf(data.name).toBeString()
    return null
  }
  void rename({ name: 'Ada' })
  void getSession(params)
  return getSession({ event: 'storage', triggerEvent: false, broadcast: false })
}
