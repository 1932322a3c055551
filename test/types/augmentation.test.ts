/** An application augments the types once, through any module, and every module has the extended types. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.cache/augmentation')
const APP = 'app.tsx'

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

const ENTRY_POINTS = {
  'lib-auth': 'index',
  'lib-auth/adapters': 'adapters/index',
  'lib-auth/adapters/memory': 'adapters/memory',
  'lib-auth/client': 'client/index',
  'lib-auth/errors': 'errors',
  'lib-auth/jwt': 'jwt',
  'lib-auth/next': 'next/index',
  'lib-auth/providers/credentials': 'providers/credentials',
  'lib-auth/providers/github': 'providers/github',
  'lib-auth/react': 'react/index',
  'lib-auth/testing': 'testing/index',
  'lib-auth/types': 'types',
}

/** The declaration files of the build. */
const PATHS = Object.fromEntries(
  Object.entries(ENTRY_POINTS).map(([name, file]) => [name, [`../../../dist/${file}.d.ts`]]),
)

/** Compiler errors in the application. */
async function compile(folder: string, code: string): Promise<string[]> {
  mkdirSync(join(FOLDER, folder), { recursive: true })
  writeFileSync(join(FOLDER, folder, APP), code)
  const config = {
    extends: '../../../test/tsconfig.json',
    compilerOptions: {
      rootDir: '../../..',
      noUnusedLocals: false,
      skipLibCheck: true,
      paths: PATHS,
    },
    files: [APP],
    include: [],
    exclude: [],
  }
  writeFileSync(join(FOLDER, folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const output = await new Promise<string>((resolve) => {
    const cwd = join(FOLDER, folder)
    const args = [compiler, '-p', '.', '--pretty', 'false']
    execFile(process.execPath, args, { cwd, encoding: 'utf8' }, (_error, stdout) => resolve(stdout))
  })
  return output.split('\n').filter((line) => /^\S/.test(line))
}

beforeAll(() => rmSync(FOLDER, { recursive: true, force: true }))

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

// Covers: adapter.augmentation
test.each(['lib-auth', 'lib-auth/adapters', 'lib-auth/types', 'lib-auth/next', 'lib-auth/react'])(
  'augmentation through %s applies to the rows of an adapter',
  async (module) => {
    const folder = `${module}-adapter`.replaceAll('/', '.')
    expect(await compile(folder, applicationWithAdapter(module))).toEqual([])
  },
)

// Covers: next.augmentation
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

const AUGMENTED = ['lib-auth', 'lib-auth/adapters', 'lib-auth/jwt', 'lib-auth/types']

test.each(Object.keys(ENTRY_POINTS))(
  'augmentation finds every module if only %s is imported',
  async (imported) => {
    const augmentations = AUGMENTED.map(
      (module) => `declare module '${module}' {\n  interface Own {\n    role: 'admin'\n  }\n}`,
    )
    const code = [`import '${imported}'`, ...augmentations].join('\n')
    const folder = `only-${imported.replaceAll('/', '.')}`
    expect(await compile(folder, code)).toEqual([])
  },
)

test.each([
  ['Session', 'lib-auth/types', 'lib-auth'],
  ['Session', 'lib-auth/types', 'lib-auth/next'],
  ['JWT', 'lib-auth/types', 'lib-auth/jwt'],
])('augmentation of %s through both %s and %s gives one type', async (name, first, second) => {
  const code = `
import '${first}'
import '${second}'
declare module '${first}' {
  interface ${name} {
    one: 1
  }
}
declare module '${second}' {
  interface ${name} {
    two: 2
  }
}
type Both = { one: 1; two: 2 }
export function read(one: import('${first}').${name}, two: import('${second}').${name}): Both[] {
  return [one, two]
}`
  expect(await compile(`both-${name}-${second.replaceAll('/', '.')}`, code)).toEqual([])
})

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
