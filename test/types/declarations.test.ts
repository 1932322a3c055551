/** An application that emits declaration files, in the folders of pnpm: each package finds only its own dependencies. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The dependencies of each package's types. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'lib-auth': ['next', 'react', '@types/react', 'kysely'],
  next: ['react', '@types/react', '@types/node'],
  react: [],
  '@types/react': ['csstype'],
  '@types/node': ['undici-types'],
  csstype: [],
  kysely: [],
  'undici-types': [],
}

const DIRECT = ['lib-auth', 'next', '@types/node', '@types/react', 'kysely']

const PROVIDERS = readdirSync(join(ROOT, 'src/providers'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'index' && !name.startsWith('_'))

const WRAPPERS = [
  'astro',
  'express',
  'fastify',
  'hono',
  'node',
  'nuxt',
  'react-router',
  'sveltekit',
  'tanstack-start',
]

// None of them imports from Next, because the compiler could then name its types.
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'app', type: 'module' }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'esnext',
      target: 'es2022',
      lib: ['es2023', 'dom'],
      moduleResolution: 'bundler',
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      declaration: true,
      outDir: 'out',
    },
    files: [
      'auth.ts',
      'route.ts',
      'proxy.ts',
      'session.ts',
      'calls.ts',
      'config.ts',
      'next-config.ts',
      'store.ts',
      ...[...PROVIDERS, ...WRAPPERS].map((name) => `${name}.ts`),
    ],
  }),
  'auth.ts': `
    import Lib from 'lib-auth/next'
    import GitHub from 'lib-auth/providers/github'
    export const { handlers, auth, signIn, signOut, update, unstable_update, getAccessToken, requestScopes, requireAuth, sessions, account, passkeys } = Lib({
      providers: [GitHub],
      callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
    })
    export const whole = Lib((request) => ({ debug: request?.nextUrl.pathname === '/' }))
  `,
  'route.ts': `
    import { auth, handlers } from './auth'
    export const { GET, POST } = handlers
    export const PUT = auth((request) => Response.json(request.auth))
    type Context = { params: Promise<{ id: string }> }
    export const PATCH = auth(async (_request, { params }: Context) => Response.json(await params))
  `,
  'proxy.ts': `
    import { auth } from './auth'
    export default auth((_request, _event) => undefined)
  `,
  'session.ts': `
    import { auth } from './auth'
    export const session = await auth()
    export const handler = auth
  `,
  // The results of the functions, too: an application wraps them.
  'calls.ts': `
    import { account, getAccessToken, passkeys, requestScopes, requireAuth, sessions } from './auth'
    export const token = () => getAccessToken('github')
    export const more = () => requestScopes('github', ['repo'])
    export const confirmed = () => requireAuth({ level: 2 })
    export const assurance = async () => (await requireAuth({ maxAge: 60 })).assurance
    export const devices = () => sessions.list()
    export const device = async () => (await sessions.list())?.sessions[0]
    export const keys = () => passkeys.list()
    export const accounts = () => account.list()
    export const { link, unlink, remove } = account
    export const { list, revoke, revokeOthers } = sessions
  `,
  // One provider in a file: the imports of another one could name its types.
  'config.ts': `
    import GitHub from 'lib-auth/providers/github'
    import type { AuthConfig } from 'lib-auth'
    export const authConfig = { providers: [GitHub({ clientId: 'x' })] } satisfies AuthConfig
  `,
  'next-config.ts': `
    import Credentials from 'lib-auth/providers/credentials'
    import type { NextAuthConfig } from 'lib-auth/next'
    export const authConfig = {
      providers: [Credentials({ credentials: { name: {} }, authorize: () => null })],
    } satisfies NextAuthConfig
  `,
  'store.ts': `
    import type { AuthConfig } from 'lib-auth'
    import KyselyAdapter from 'lib-auth/adapters/kysely'
    import MemoryAdapter from 'lib-auth/adapters/memory'
    import type { Kysely } from 'kysely'
    export const adapterOf = (db: Kysely<object>) => KyselyAdapter(db)
    export const storeOf = (db: Kysely<object>) => KyselyAdapter(db, { with: ['records'] })
    export const authConfig = {
      providers: [],
      store: MemoryAdapter(),
      audit: { write: () => undefined },
      protection: { limits: { mail: 'off' }, onAttempt: () => 'allow' },
    } satisfies AuthConfig
  `,
  ...Object.fromEntries(
    WRAPPERS.map((name) => [
      `${name}.ts`,
      `import Lib from 'lib-auth/${name}'
    import GitHub from 'lib-auth/providers/github'
    const lib = Lib({ providers: [GitHub] })
    export const { auth, signIn, signOut, update, getAccessToken, requestScopes, requireAuth, sessions, account } = lib
    export const { link, unlink, remove } = account
    export const accounts = (...args: Parameters<typeof account.list>) => account.list(...args)
    export const { list, revoke, revokeOthers } = sessions
    export const confirmed = (...args: Parameters<typeof requireAuth>) => requireAuth(...args)
    export const assurance = async (...args: Parameters<typeof requireAuth>) =>
      (await requireAuth(...args)).assurance
    export const token = (...args: Parameters<typeof getAccessToken>) => getAccessToken(...args)
    export const devices = (...args: Parameters<typeof list>) => list(...args)
    export const device = async (...args: Parameters<typeof list>) =>
      (await list(...args))?.sessions[0]
    export const whole = lib`,
    ]),
  ),
  ...Object.fromEntries(
    PROVIDERS.map((name) => [
      `${name}.ts`,
      `import Provider from 'lib-auth/providers/${name}'
    export const provider = Provider(JSON.parse('{}'))
    export const factory = Provider`,
    ]),
  ),
}

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-declarations-'))
const store = join(folder, 'node_modules/.pnpm')
const placeOf = (name: string, inside: string) =>
  join(store, `${inside.replace('/', '+')}@1.0.0`, 'node_modules', name)

/** Copies only the types, because Next is large. */
function copyTypes(name: string): void {
  const from = name === 'lib-auth' ? ROOT : join(ROOT, 'node_modules', name)
  const to = placeOf(name, name)
  mkdirSync(to, { recursive: true })
  cpSync(join(from, 'package.json'), join(to, 'package.json'))
  const source = name === 'lib-auth' ? 'dist' : '.'
  cpSync(join(from, source), join(to, source), {
    recursive: true,
    filter: (path) => !/\.(?:[cm]?js|map|node|wasm|md|txt|css|html)$/.test(path),
  })
}

function link(name: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(placeOf(name, name), path, 'dir')
}

beforeAll(() => {
  for (const [name, dependencies] of Object.entries(PACKAGES)) {
    copyTypes(name)
    for (const dependency of dependencies) link(dependency, placeOf(dependency, name))
  }
  for (const name of DIRECT) link(name, join(folder, 'node_modules', name))
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text)
})

afterAll(() => rmSync(folder, { recursive: true }))

test('declaration files refer only to packages that the application depends on', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const output = await new Promise<string>((resolve) => {
    const args = [compiler, '-p', folder, '--pretty', 'false']
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout))
  })
  expect(output).toBe('')
  const auth = readFileSync(join(folder, 'out/auth.d.ts'), 'utf8')
  expect(auth).toContain('import("lib-auth/next").BuiltInHandler')
  expect(auth).toContain("role: 'admin'")
  expect(auth).not.toContain('.pnpm')
})

// The compiler names them although the package does not export them, and the importer then gets `any`.
test('declaration files do not refer to private modules of the package', () => {
  const texts = readdirSync(join(folder, 'out'))
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => readFileSync(join(folder, 'out', name), 'utf8'))
  expect(texts.join('').match(/lib-auth\/[^"]*\/_[^"]*/g)).toBeNull()
  expect(texts.join('')).toContain('storeOf')
})
