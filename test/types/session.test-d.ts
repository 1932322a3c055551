/** Compiled, never run: the result of `callbacks.session` is the type of the session everywhere. */
import type { NextFetchEvent } from 'next/server.js'
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from 'next/types.js'
import { expectTypeOf } from 'vitest'
import type { TellsSession } from '../../src/index.ts'
import Lib from '../../src/frameworks/next/index.ts'
import type {
  AuthFunction,
  LibConfig,
  LibConfigSource,
  LibRequest,
  LibResult,
  NextAuthConfig,
  NextAuthResult,
  Session,
  SessionOf,
} from '../../src/frameworks/next/index.ts'
import type { DefaultSession, User } from '../../src/core/types.ts'

/** The type if the callback returns its argument: the user is defined. */
type Given = Session & { user: User }
interface TypedSession extends Session {
  role: 'admin'
  user: Given['user']
}
type Answer<Auth extends TellsSession> = SessionOf<Auth>

/** In each context. */
export async function everywhere(
  request: NextApiRequest,
  response: NextApiResponse,
  context: GetServerSidePropsContext,
): Promise<void> {
  const { auth, update, unstable_update } = Lib({
    callbacks: {
      session: ({ session }) => ({ ...session, role: 'admin' as const }),
      authorized({ auth: session }) {
        expectTypeOf(session).toEqualTypeOf<TypedSession | null>()
        return session?.role === 'admin'
      },
    },
  })
  expectTypeOf(await auth()).toEqualTypeOf<TypedSession | null>()
  expectTypeOf(await auth(request, response)).toEqualTypeOf<TypedSession | null>()
  expectTypeOf(await auth(context)).toEqualTypeOf<TypedSession | null>()
  auth((given) => {
    expectTypeOf(given).toEqualTypeOf<LibRequest<TypedSession>>()
    expectTypeOf(given.auth).toEqualTypeOf<TypedSession | null>()
  })
  auth((given, _event: NextFetchEvent) => {
    expectTypeOf(given.auth).toEqualTypeOf<TypedSession | null>()
  })
  expectTypeOf(await update({ role: 'admin' })).toEqualTypeOf<TypedSession | null>()
  expectTypeOf(
    await unstable_update({ user: { name: 'Ada' } }),
  ).toEqualTypeOf<TypedSession | null>()
  expectTypeOf<{ role: 'guest' }>().not.toExtend<Parameters<typeof update>[0]>()
  expectTypeOf<SessionOf<typeof auth>>().toEqualTypeOf<TypedSession>()
}

/** Each form of the callback. */
export function callbacks(): void {
  const async = Lib({
    callbacks: {
      session: async ({ session }) => ({ ...session, role: 'admin' as const }),
      authorized: ({ auth }) => auth?.role === 'admin',
    },
  })
  expectTypeOf<Answer<typeof async.auth>>().toEqualTypeOf<TypedSession>()

  const argument = Lib({
    callbacks: {
      session({ session, token }) {
        session.user.id = token.sub ?? ''
        return session
      },
    },
  })
  expectTypeOf<Answer<typeof argument.auth>>().toEqualTypeOf<Given>()

  const own = Lib({
    callbacks: {
      session: ({ session, user }) => ({ expires: session.expires, user: { id: user.id } }),
    },
  })
  expectTypeOf<Answer<typeof own.auth>>().toEqualTypeOf<{ expires: string; user: { id: string } }>()

  const method = Lib({
    callbacks: {
      async session({ session, trigger }) {
        return trigger === 'update' ? { ...session, isNew: true } : { ...session, isNew: false }
      },
    },
  })
  expectTypeOf<Answer<typeof method.auth>['isNew']>().toBeBoolean()

  const annotated = Lib({ callbacks: { session: (): DefaultSession => ({ expires: '' }) } })
  expectTypeOf<Answer<typeof annotated.auth>>().toExtend<Session>()
}

/** Without the callback it is the session that the application may extend. */
export function without(): void {
  const callbacksOnly = Lib({ callbacks: { authorized: ({ auth }) => Boolean(auth?.user) } })
  expectTypeOf(Lib({}).auth).toEqualTypeOf<AuthFunction>()
  expectTypeOf(Lib({ providers: [] }).auth).toEqualTypeOf<AuthFunction>()
  expectTypeOf(Lib({ callbacks: {} }).auth).toEqualTypeOf<AuthFunction>()
  expectTypeOf(Lib({ callbacks: undefined }).auth).toEqualTypeOf<AuthFunction>()
  expectTypeOf(callbacksOnly).toEqualTypeOf<LibResult>()
}

/** Only an `authorized` declared above `session` has the wider type, because TypeScript infers from top to bottom. */
export function order(): void {
  const { auth } = Lib({
    callbacks: {
      authorized(params) {
        expectTypeOf(params.auth).toEqualTypeOf<Session | null>()
        return Boolean(params.auth)
      },
      session: ({ session }) => ({ ...session, role: 'admin' as const }),
    },
  })
  expectTypeOf<SessionOf<typeof auth>>().toEqualTypeOf<TypedSession>()
}

/** `authorized` does not determine the type of the session. */
export function authorizedIsTypedSession(): void {
  const broad = Lib({
    callbacks: {
      session: ({ session }) => ({ ...session, role: 'admin' as const }),
      authorized: ({ auth }: { auth: DefaultSession | null }) => Boolean(auth),
    },
  })
  expectTypeOf<Answer<typeof broad.auth>>().toEqualTypeOf<TypedSession>()
  const alone = Lib({
    callbacks: { authorized: ({ auth }: { auth: TypedSession | null }) => auth?.role === 'admin' },
  })
  expectTypeOf(alone.auth).toEqualTypeOf<AuthFunction>()
}

const kept = {
  providers: [],
  callbacks: {
    session: ({ session }) => ({ ...session, role: 'admin' as const }),
    authorized({ auth }) {
      expectTypeOf(auth).toEqualTypeOf<Session | null>()
      return Boolean(auth)
    },
  },
} satisfies LibConfig
const annotated: NextAuthConfig = kept
const typed: LibConfig<TypedSession> = {
  callbacks: {
    session: ({ session }) => ({ ...session, role: 'admin' }),
    authorized: ({ auth }) => auth?.role === 'admin',
  },
}
const source: LibConfigSource = () => annotated

/** A configuration in a constant, or created for each request. */
export function elsewhere(): void {
  const fromKept = Lib(kept)
  const spread = Lib({ ...kept, debug: true })
  const fromTyped = Lib(typed)
  const lazy = Lib((request) => {
    expectTypeOf(request?.nextUrl.pathname).toEqualTypeOf<string | undefined>()
    return {
      callbacks: {
        session: ({ session }) => ({ ...session, role: 'admin' as const }),
        authorized: ({ auth }) => auth?.role === 'admin',
      },
    }
  })
  const lazyAsync = Lib(async () => ({
    callbacks: {
      session: async ({ session }) => ({ ...session, role: 'admin' as const }),
      authorized: ({ auth }) => auth?.role === 'admin',
    },
  }))
  const lazyKept = Lib(async (request) => (request ? kept : { ...kept, providers: [] }))
  expectTypeOf<Answer<typeof fromKept.auth>>().toEqualTypeOf<TypedSession>()
  expectTypeOf<Answer<typeof spread.auth>>().toEqualTypeOf<TypedSession>()
  expectTypeOf<Answer<typeof fromTyped.auth>>().toEqualTypeOf<TypedSession>()
  expectTypeOf<Answer<typeof lazy.auth>>().toEqualTypeOf<TypedSession>()
  expectTypeOf<Answer<typeof lazyAsync.auth>>().toEqualTypeOf<TypedSession>()
  expectTypeOf<Answer<typeof lazyKept.auth>>().toEqualTypeOf<TypedSession>()
  const explicit = Lib<TypedSession>({
    callbacks: { session: ({ session }) => ({ ...session, role: 'admin' }) },
  })
  expectTypeOf<Answer<typeof explicit.auth>>().toEqualTypeOf<TypedSession>()
  // An annotated configuration accepts any session.
  expectTypeOf(Lib(annotated).auth).toEqualTypeOf<AuthFunction>()
  expectTypeOf(Lib(source).auth).toEqualTypeOf<AuthFunction>()
}

/** Aliases without a type argument accept every result. */
export const result: NextAuthResult = Lib(kept)
export const results: LibResult[] = [Lib(kept), Lib(typed), Lib({})]
export const { auth: plainAuth }: NextAuthResult = Lib(kept)
expectTypeOf(plainAuth).toEqualTypeOf<AuthFunction>()
expectTypeOf(kept).toExtend<LibConfig>()
expectTypeOf<LibConfig<TypedSession>>().toExtend<LibConfig>()

/** An invalid session is an error at its callback. */
export function refused(): void {
  // @ts-expect-error expires is missing
  Lib({ callbacks: { session: () => ({ role: 'admin' }) } })
  // @ts-expect-error as text
  Lib({ callbacks: { session: ({ session }) => ({ ...session, expires: new Date() }) } })
  // @ts-expect-error the session is never null
  Lib({ callbacks: { session: () => null } })
  // @ts-expect-error the callback does not return the declared type
  Lib<TypedSession>({ callbacks: { session: ({ session }) => session } })
  // @ts-expect-error the callback does not return the declared type
  const forgotten: LibConfig<TypedSession> = { callbacks: { session: ({ session }) => session } }
  void forgotten
  // @ts-expect-error the callback does not exist
  Lib({ callbacks: { sesion: ({ session }: { session: Session }) => session } })
  // @ts-expect-error the option does not exist
  Lib({ provider: [] })
}
