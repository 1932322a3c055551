/** Compiled, never run: valid code of an application, and the resulting types. */
import { expectTypeOf } from 'vitest'
import { AuthError, CredentialsSignin } from '../../src/errors.ts'
import type { ErrorType } from '../../src/errors.ts'
import { Auth, isAuthAction, raw, setEnvDefaults } from '../../src/index.ts'
import type {
  Account,
  AuthAction,
  AuthConfig,
  DefaultSession,
  Environment,
  JWT,
  Profile,
  ResponseInternal,
  Session,
  User,
} from '../../src/index.ts'
import Auth0 from '../../src/providers/auth0.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import type { GitHubProfile } from '../../src/providers/github.ts'
import type { Provider } from '../../src/providers/index.ts'

// Each augmentation applies to every use of the type; see also augmentation.test.ts.
declare module '../../src/index.ts' {
  interface Session {
    company?: string
    user?: { role?: 'admin' | 'guest' } & DefaultSession['user']
  }
  interface DefaultUser {
    locale?: string
  }
  interface DefaultJWT {
    refreshToken?: string
  }
}

export const config = {
  // The factory, or its result.
  providers: [
    GitHub,
    GitHub({ clientId: 'id', clientSecret: 'secret' }),
    Auth0({ issuer: 'https://tenant.auth0.test' }),
    { id: 'own', name: 'Own', type: 'oidc', issuer: 'https://own.test' },
    Credentials({
      credentials: { username: { label: 'User name' }, password: { type: 'password' } },
      async authorize(credentials, request) {
        expectTypeOf(credentials).toEqualTypeOf<Partial<Record<'username' | 'password', unknown>>>()
        expectTypeOf(request).toEqualTypeOf<Request>()
        if (credentials.password !== 'right') throw new CredentialsSignin()
        return { id: '1', locale: 'de' }
      },
    }),
  ],
  callbacks: {
    signIn({ user, account, profile, credentials, email }) {
      expectTypeOf(user).toEqualTypeOf<User>()
      expectTypeOf(account).toEqualTypeOf<Account | null>()
      expectTypeOf(profile).toEqualTypeOf<Profile | undefined>()
      expectTypeOf(credentials).toExtend<Record<string, unknown> | undefined>()
      expectTypeOf(email?.verificationRequest).toEqualTypeOf<boolean | undefined>()
      return profile?.email_verified ? true : '/verify'
    },
    redirect({ url, baseUrl }) {
      return url.startsWith('/') ? baseUrl + url : baseUrl
    },
    jwt({ token, user, account, trigger, session, isNewUser }) {
      expectTypeOf(token).toEqualTypeOf<JWT>()
      expectTypeOf(trigger).toEqualTypeOf<'signIn' | 'signUp' | 'update' | undefined>()
      expectTypeOf(session).toBeAny()
      expectTypeOf(isNewUser).toEqualTypeOf<boolean | undefined>()
      if (account?.refresh_token) token.refreshToken = account.refresh_token
      if (trigger === 'signIn') token['locale'] = user.locale
      return trigger === 'update' && !session ? null : token
    },
    session({ session, token, newSession, trigger }) {
      expectTypeOf(trigger).toEqualTypeOf<'update' | undefined>()
      expectTypeOf(newSession).toBeAny()
      session.user.id = token.sub ?? ''
      session.user.role = 'admin'
      if (token.refreshToken) session.company = 'Acme'
      return session
    },
  },
  events: {
    async signIn({ user, account, isNewUser }) {
      expectTypeOf(user).toEqualTypeOf<User>()
      expectTypeOf(account).toEqualTypeOf<Account | null>()
      expectTypeOf(isNewUser).toEqualTypeOf<boolean | undefined>()
    },
    signOut({ token }) {
      expectTypeOf(token).toEqualTypeOf<JWT | null | undefined>()
    },
  },
  session: { strategy: 'jwt', maxAge: 60, updateAge: 0 },
  secret: ['new', 'old'],
  logger: { error: (error: Error) => console.error(error) },
} satisfies AuthConfig

export const answers = [
  // A callback may omit its parameters.
  { providers: [], callbacks: { session: () => ({ expires: '' }) } },
  { providers: [], callbacks: { signIn: async () => false } },
  {},
] satisfies AuthConfig[]

export function calls(request: Request): void {
  expectTypeOf(Auth(request, config)).toEqualTypeOf<Promise<Response>>()
  expectTypeOf(Auth(request, { ...config, raw })).toEqualTypeOf<Promise<ResponseInternal>>()
  expectTypeOf(setEnvDefaults).parameters.toEqualTypeOf<
    [env: Environment, config: AuthConfig, suppressBasePathWarning?: boolean | undefined]
  >()
  const action: string = 'session'
  if (isAuthAction(action)) expectTypeOf(action).toEqualTypeOf<AuthAction>()
}

export function errors(error: unknown): void {
  if (!(error instanceof AuthError)) return
  expectTypeOf(error.type).toExtend<string>()
  // Editors suggest the built-in types; others come from classes of the application.
  expectTypeOf(error.type).toEqualTypeOf<ErrorType | (string & {})>()
  if (error instanceof CredentialsSignin) expectTypeOf(error.code).toBeString()
}

/** Errors of an application. */
export class SecondFactorNeeded extends CredentialsSignin {
  override code = 'second-factor'
}

export function shapes(): void {
  expectTypeOf<Session['expires']>().toBeString()
  expectTypeOf<NonNullable<Session['user']>['email']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<JWT['sub']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<JWT['anything']>().toBeUnknown()
  expectTypeOf<Profile['anything']>().toBeUnknown()
  expectTypeOf<Account['providerAccountId']>().toBeString()
  expectTypeOf(GitHub).toExtend<Provider>()
  expectTypeOf<{ id: string }>().not.toExtend<Provider>()
  expectTypeOf<{ strategy: 'cookie' }>().not.toExtend<NonNullable<AuthConfig['session']>>()
  expectTypeOf<() => number>().not.toExtend<NonNullable<AuthConfig['callbacks']>['signIn']>()
}

/** Optional fields accept undefined, also with `exactOptionalPropertyTypes`. */
export const nothing = {
  callbacks: { signIn: undefined, redirect: undefined, session: undefined, jwt: undefined },
  events: { signIn: undefined, signOut: undefined, session: undefined },
  providers: [
    GitHub({ profile: undefined, account: undefined, isIssuer: undefined }),
    Credentials({ authorize: undefined }),
    {
      id: 'own',
      name: 'Own',
      type: 'oidc',
      token: { conform: undefined },
      userinfo: { request: undefined },
      profile: undefined,
      account: undefined,
      isIssuer: undefined,
    },
  ],
} satisfies AuthConfig

/** A profile with more than the standard claims fits the providers list. */
export const narrower = {
  providers: [
    {
      id: 'own',
      name: 'Own',
      type: 'oauth',
      profile: (profile: { id: number; login: string }) => ({ id: String(profile.id) }),
    },
    GitHub({
      profile(profile, tokens, context) {
        expectTypeOf(profile).toEqualTypeOf<GitHubProfile>()
        expectTypeOf(tokens.access_token).toEqualTypeOf<string | undefined>()
        expectTypeOf(context.fetch).toBeFunction()
        return { id: profile.login }
      },
    }),
  ],
  callbacks: {
    signIn: ({ account }: { user: User; account: Account }) => account.type === 'oauth',
  },
} satisfies AuthConfig
