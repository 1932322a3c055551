/** An application augments the types once, through any module, and every module has the extended types. */
import { expect, test } from 'vitest'
import { compile } from './application.ts'

/** An application that adds a role and a token field through these modules. */
function application(module: string, jwtModule: string): string {
  return `
import type { DefaultSession } from 'lib-auth'
import { getSession } from 'lib-auth'
import type { JWT } from 'lib-auth/jwt'
import Lib from 'lib-auth/next'
import Credentials from 'lib-auth/providers/credentials'
import { useSession } from 'lib-auth/react'

type Role = 'admin' | 'guest'

declare module '${module}' {
  interface Session {
    user: { role: Role } & DefaultSession['user']
  }
  interface User {
    role: Role
  }
}
declare module '${jwtModule}' {
  interface JWT {
    role: Role
  }
}

export const { auth, update } = Lib({
  providers: [Credentials({ authorize: () => ({ id: '1', role: 'admin' }) })],
  callbacks: {
    jwt: ({ token, user }) => (user ? { ...token, role: user.role } : token),
    session({ session, token }) {
      session.user.role = token.role
      return session
    },
    authorized: ({ auth: session }) => session?.user.role === 'admin',
  },
})

export const roles = {
  server: async (): Promise<Role | undefined> => (await auth())?.user.role,
  core: async (headers: Headers): Promise<Role | undefined> =>
    (await getSession(headers, { providers: [] })).session?.user.role,
  token: (token: JWT): Role => token.role,
  route: auth((request) => Response.json({ role: request.auth?.user.role satisfies Role | undefined })),
  update: () => update({ user: { role: 'guest' } }),
}

export function useRole(): Role | undefined {
  return useSession().data?.user.role
}
`
}

/** An application whose adapter stores a plan per user and a device per session. */
function applicationWithAdapter(module: string): string {
  return `
import type { AdapterSession } from 'lib-auth'
import type { Adapter } from 'lib-auth/adapters'
import Lib from 'lib-auth/next'
import {} from 'lib-auth/react'
import type { AdapterUser } from 'lib-auth/types'

type Plan = 'free' | 'paid'

declare module '${module}' {
  interface AdapterUser {
    plan: Plan
  }
  interface AdapterSession {
    device: string
  }
}

export const adapter = {
  getUser: (id) => ({ id, email: '', emailVerified: null, plan: 'paid' }),
  createSession: (session) => ({ ...session, device: session.device.trim() }),
} satisfies Adapter
export const planOf = (user: AdapterUser): Plan => user.plan
export const deviceOf = (session: AdapterSession): string => session.device
export const { auth } = Lib({
  adapter,
  callbacks: { session: ({ session, user }) => ({ ...session, plan: user.plan }) },
})
`
}

/** An application that imports one module and augments others. */
function applicationThatImports(imported: string, jwtModule: string, module: string): string {
  const react = `
import { useSession } from 'lib-auth/react'
export const useRole = (): 'admin' | undefined => useSession().data?.role`
  const next = `
import Lib from 'lib-auth/next'
export const { auth } = Lib({
  adapter: {},
  callbacks: {
    session: ({ token, user }) => ({ expires: '', role: token.plan satisfies 'paid', ...user.own }),
  },
})
export const role = async (): Promise<'admin' | undefined> =>
  (await Lib({}).auth())?.role`
  return `${imported === 'lib-auth/react' ? react : next}
declare module '${module}' {
  interface Session {
    role: 'admin'
  }
}
declare module '${jwtModule}' {
  interface JWT {
    plan: 'paid'
  }
}
declare module 'lib-auth/adapters' {
  interface AdapterUser {
    own: object
  }
}
`
}

test.each([
  ['lib-auth', 'lib-auth'],
  ['lib-auth/types', 'lib-auth/types'],
  ['lib-auth/next', 'lib-auth/next'],
  ['lib-auth/next', 'lib-auth/jwt'],
  ['lib-auth/react', 'lib-auth/jwt'],
])(
  'augmentation through %s, and %s for tokens, applies to every module',
  async (module, jwtModule) => {
    const folder = `${module}-${jwtModule}`.replaceAll('/', '.')
    expect(await compile(folder, application(module, jwtModule))).toEqual([])
  },
)

test.each(['lib-auth', 'lib-auth/adapters', 'lib-auth/types', 'lib-auth/next', 'lib-auth/react'])(
  'augmentation through %s applies to the rows of an adapter',
  async (module) => {
    const folder = `${module}-adapter`.replaceAll('/', '.')
    expect(await compile(folder, applicationWithAdapter(module))).toEqual([])
  },
)

test.each(['lib-auth', 'lib-auth/next'])(
  'an adapter whose types lack required fields of %s is accepted',
  async (module) => {
    const code = `
import type { Adapter as OtherAdapter } from '@auth/core/adapters'
import { getSession } from 'lib-auth'
import Lib from 'lib-auth/next'

declare module '${module}' {
  interface User {
    role: 'admin' | 'guest'
  }
  interface AdapterSession {
    device: string
  }
}

declare const adapter: OtherAdapter
export const { auth } = Lib({
  adapter,
  providers: [],
  callbacks: { session: ({ session, user }) => ({ ...session, role: user.role }) },
})
export const read = (headers: Headers) => getSession(headers, { adapter: () => adapter, providers: [] })
`
    const folder = `other-adapter-${module}`.replaceAll('/', '.')
    for (const exactOptionalPropertyTypes of [true, false])
      expect(await compile(folder, code, { exactOptionalPropertyTypes })).toEqual([])
  },
)

test.each([
  ['lib-auth/next', 'lib-auth/jwt', 'lib-auth'],
  ['lib-auth/next', 'lib-auth', 'lib-auth/types'],
  ['lib-auth/next', 'lib-auth/types', 'lib-auth/next'],
  ['lib-auth/react', 'lib-auth/jwt', 'lib-auth'],
  ['lib-auth/react', 'lib-auth', 'lib-auth/types'],
])(
  'augmentation applies if only %s is imported, and %s and %s are augmented',
  async (...modules) => {
    const folder = `only-${modules.join('-')}`.replaceAll('/', '.')
    expect(await compile(folder, applicationThatImports(...modules))).toEqual([])
  },
)

test('without augmentation, users have no plan', async () => {
  const code = applicationWithAdapter('lib-auth').replaceAll(/declare module[^]*?\n\}\n/g, '')
  const problems = await compile('without-adapter', code)
  const unknown = problems.filter((problem) => /Property '(?:plan|device)' does not/.test(problem))
  expect(unknown).toHaveLength(4)
})

test('without augmentation, users have no role', async () => {
  const code = application('lib-auth', 'lib-auth').replaceAll(/declare module[^]*?\n\}\n/g, '')
  const problems = await compile('without', code)
  const unknown = problems.filter((problem) => problem.includes("Property 'role' does not exist"))
  expect(unknown.length).toBeGreaterThan(5)
})
