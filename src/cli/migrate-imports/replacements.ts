/** The modules of other packages, and those of this one that replace them. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const VERSION_4 = 'is of version 4: see "Migrate from next-auth 4" in the guide.'

/** The modules whose path is another one here. */
const RENAMED: Readonly<Record<string, string>> = {
  'next-auth': 'lib-auth/next',
  '@auth/solid-start/client': 'lib-auth/solid',
  '@auth/express': 'lib-auth/express',
  '@auth/sveltekit': 'lib-auth/sveltekit',
  '@auth/sveltekit/client': 'lib-auth/svelte',
  '@hono/auth-js': 'lib-auth/hono',
}

const SUBPATHS: Readonly<Record<string, readonly string[]>> = {
  'next-auth': ['/react', '/jwt', '/adapters', '/providers', '/webauthn'],
  '@auth/core': ['', '/types', '/errors', '/jwt', '/adapters', '/providers'],
  '@auth/express': ['/types', '/adapters', '/providers'],
  '@auth/sveltekit': ['/adapters', '/providers'],
  '@auth/solid-start': ['/adapters', '/providers'],
  '@auth/qwik': ['/adapters', '/providers'],
  '@hono/auth-js': ['/react'],
}

const MIGRATION = 'see node_modules/lib-auth/docs/guides/migrate-from-other-packages.md'
const FROM_SVELTEKIT = `${MIGRATION}#from-authsveltekit`
const FROM_OTHERS = `${MIGRATION}#from-auth-astro-authsolid-start-and-authqwik`

/** Why some subpaths have no equivalent. */
const MISSING = [
  [/^\/(?:next|middleware|core(?:\/types)?|client\/_utils|utils)$/, VERSION_4],
  [/^\/components$/, `has no equivalent, write a form: ${FROM_SVELTEKIT}`],
] as const

/** What else to change where a module is imported; what to write instead of a module that is not renamed. */
const FURTHER: Readonly<Record<string, string>> = {
  '@auth/solid-start': `@auth/solid-start is replaced by a middleware: ${FROM_OTHERS}`,
  '@auth/solid-start/client': `The routes of @auth/solid-start are below /api/auth, those of lib-auth/solid below /auth by default: ${FROM_OTHERS}`,
  '@auth/qwik': `@auth/qwik is replaced by Auth and getSession of lib-auth in a plugin: ${FROM_OTHERS}`,
  'auth-astro': `auth-astro is replaced by lib-auth/astro: ${FROM_OTHERS}`,
  'auth-astro/server': `getSession(request) of auth-astro/server is auth(Astro) of lib-auth/astro: ${FROM_OTHERS}`,
  'auth-astro/client': `signIn and signOut of auth-astro/client are those of createClient() of lib-auth/client: ${FROM_OTHERS}`,
  'auth-astro/components': `The components of auth-astro have no equivalent, write forms: ${FROM_OTHERS}`,
  '@auth/sveltekit': `lib-auth/sveltekit does not read .env in development: ${FROM_SVELTEKIT}`,
  '@auth/sveltekit/client': `lib-auth/svelte needs setSession in the root layout: ${FROM_SVELTEKIT}`,
}

/** Notes about the application, whichever of its files imports the module. */
export const ONCE: ReadonlySet<string> = new Set(Object.values(FURTHER))

const PROVIDERS = 'node_modules/lib-auth/docs/providers/README.md'

/** The provider modules of the package, by their files. */
export function shippedProviders(): ReadonlySet<string> {
  const files = readdirSync(fileURLToPath(new URL('../../providers', import.meta.url)))
  const names = files.map((file) => file.replace(/(?:\.d)?\.[jt]s$/, ''))
  return new Set(names.filter((name) => name !== 'index' && !name.startsWith('_')))
}

/** The packages that are replaced, as the source of a regular expression. */
export const LIBRARIES: string = String.raw`next-auth|@auth\/(?:core|express|sveltekit|solid-start|qwik)|@hono\/auth-js|auth-astro`

const SPECIFIER = new RegExp(String.raw`^(${LIBRARIES})(\/.*)?$`)

/** What becomes of a specifier: `note` explains why it is not changed, or what else to change. */
export interface Target {
  readonly to?: string
  readonly note?: string
}

/** Returns an empty target for modules of other libraries. */
export function findTarget(name: string, providers: ReadonlySet<string>): Target {
  if (name.startsWith('@next-auth/'))
    return {
      note: `${name} is an adapter of version 4; install ${name.replace('@next-auth/', '@auth/')} and import that.`,
    }
  const [, library = '', path = ''] = SPECIFIER.exec(name) ?? []
  if (library === '') return {}
  const renamed = RENAMED[name]
  const note = FURTHER[name]
  if (renamed !== undefined) return { to: renamed, ...(note !== undefined && { note }) }
  if (note !== undefined) return { note }
  if (path === '/providers/oauth') return { to: 'lib-auth/providers' }
  const provider = /^\/providers\/([^/]+)$/.exec(path)?.[1] ?? ''
  if (SUBPATHS[library]?.includes(path) || providers.has(provider)) return { to: `lib-auth${path}` }
  const missing = MISSING.find(([pattern]) => pattern.test(path))?.[1]
  const other =
    provider === ''
      ? `has no equivalent in lib-auth; without ${library} this import fails.`
      : `is a provider that lib-auth does not contain. The import was not changed and works as long as ${library} is installed. What to use instead: ${PROVIDERS}`
  return { note: `${name} ${missing ?? other}` }
}
