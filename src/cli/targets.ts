/** The modules of this library that replace those of `next-auth` and `@auth/core`. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Target =
  | { readonly kind: 'renamed'; readonly name: string }
  /** The import is not changed; `note` explains why. */
  | { readonly kind: 'kept'; readonly note: string }

const SUBPATHS: Readonly<Record<string, readonly string[]>> = {
  'next-auth': ['/react', '/jwt', '/adapters', '/providers'],
  '@auth/core': ['', '/types', '/errors', '/jwt', '/adapters', '/providers'],
}

const VERSION_4 = 'is of version 4: see "From version 4" in the guide.'
const PASSKEYS = 'lib-auth does not support passkeys yet; without next-auth this import fails.'

/** Why some subpaths have no equivalent. */
const MISSING: Readonly<Record<string, string>> = {
  '/webauthn': PASSKEYS,
  '/providers/passkey': PASSKEYS,
  '/providers/webauthn': PASSKEYS,
  '/next': VERSION_4,
  '/middleware': VERSION_4,
  '/core': VERSION_4,
  '/core/types': VERSION_4,
  '/client/_utils': VERSION_4,
  '/utils': VERSION_4,
}

export function shippedProviders(): ReadonlySet<string> {
  const files = readdirSync(fileURLToPath(new URL('../providers', import.meta.url)))
  const names = files.map((file) => file.replace(/(?:\.d)?\.[jt]s$/, ''))
  return new Set(names.filter((name) => name !== 'index' && !name.startsWith('_')))
}

/** Returns what becomes of a specifier; `null` for modules of other libraries. */
export function targetOf(name: string, providers: ReadonlySet<string>): Target | null {
  const kept = (why: string) => ({ kind: 'kept', note: `${name} ${why}` }) as const
  if (name.startsWith('@next-auth/'))
    return kept(
      `is an adapter of version 4; install ${name.replace('@next-auth/', '@auth/')} and import that.`,
    )
  const [, library = '', path = ''] = /^(next-auth|@auth\/core)(\/.*)?$/.exec(name) ?? []
  if (library === '') return null
  if (name === 'next-auth') return { kind: 'renamed', name: 'lib-auth/next' }
  if (path === '/providers/oauth') return { kind: 'renamed', name: 'lib-auth/providers' }
  const provider = /^\/providers\/([^/]+)$/.exec(path)?.[1] ?? ''
  if (SUBPATHS[library]?.includes(path) || providers.has(provider))
    return { kind: 'renamed', name: `lib-auth${path}` }
  if (Object.hasOwn(MISSING, path)) return kept(MISSING[path] ?? '')
  return kept(
    provider === ''
      ? 'has no equivalent in lib-auth; without next-auth this import fails.'
      : `lib-auth does not contain this provider yet. The import was not changed and works as long as ${library} is installed.`,
  )
}
