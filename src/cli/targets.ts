/** Which module of ours takes the place of which. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What becomes of the name of a module. */
export type Target =
  | { readonly kind: 'renamed'; readonly name: string }
  /** It stays, and somebody has to look at it. */
  | { readonly kind: 'left'; readonly why: string }

/** Subpaths that have the same name here, apart from providers. */
const SUBPATHS: Readonly<Record<'next-auth' | '@auth/core', ReadonlyMap<string, string>>> = {
  'next-auth': new Map([
    ['', '/next'],
    ...['/react', '/jwt', '/adapters', '/providers'].map((path) => [path, path] as const),
    ['/providers/oauth', '/providers'],
  ]),
  '@auth/core': new Map([
    ...['', '/types', '/errors', '/jwt', '/adapters', '/providers'].map(
      (path) => [path, path] as const,
    ),
    ['/providers/oauth', '/providers'],
  ]),
}

const VERSION_4 = 'is of version 4: see "From version 4" in the guide.'

/** Subpaths that have no equal. */
const WITHOUT_EQUAL: ReadonlyMap<string, string> = new Map([
  ['/webauthn', 'there are no passkeys in lib-auth yet; without next-auth this import fails.'],
  [
    '/providers/passkey',
    'there are no passkeys in lib-auth yet; without next-auth this import fails.',
  ],
  [
    '/providers/webauthn',
    'there are no passkeys in lib-auth yet; without next-auth this import fails.',
  ],
  ['/next', VERSION_4],
  ['/middleware', VERSION_4],
  ['/core', VERSION_4],
  ['/core/types', VERSION_4],
  ['/client/_utils', VERSION_4],
  ['/utils', VERSION_4],
])

/** The providers of this package: what it ships. */
export function shippedProviders(): ReadonlySet<string> {
  const files = readdirSync(fileURLToPath(new URL('../providers', import.meta.url)))
  const names = files.map((file) => file.replace(/(?:\.d)?\.[jt]s$/, ''))
  return new Set(names.filter((name) => name !== 'index' && !name.startsWith('_')))
}

/** What becomes of a module; `null`: it is none of those that are replaced. */
export function targetOf(name: string, providers: ReadonlySet<string>): Target | null {
  if (name.startsWith('@next-auth/'))
    return {
      kind: 'left',
      why: `is an adapter of version 4; install ${name.replace('@next-auth/', '@auth/')} and import that.`,
    }
  const { library, path = '' } =
    /^(?<library>next-auth|@auth\/core)(?<path>\/.*)?$/.exec(name)?.groups ?? {}
  if (library !== 'next-auth' && library !== '@auth/core') return null
  const same = SUBPATHS[library].get(path)
  if (same !== undefined) return { kind: 'renamed', name: `lib-auth${same}` }
  const provider = /^\/providers\/([^/]+)$/.exec(path)?.[1]
  if (provider !== undefined && providers.has(provider))
    return { kind: 'renamed', name: `lib-auth${path}` }
  const why = WITHOUT_EQUAL.get(path)
  if (why !== undefined) return { kind: 'left', why }
  return {
    kind: 'left',
    why:
      provider === undefined
        ? 'has no equal in lib-auth; without next-auth this import fails.'
        : `lib-auth does not bring this provider yet. The import is left as it is and works as long as ${library} is installed.`,
  }
}
