/** What a router may ignore when it compares paths. */
export type Ignored = 'trailing slash' | 'case and trailing slash'

const CANONICAL: Readonly<Record<Ignored, (path: string) => string>> = {
  'trailing slash': withoutSlash,
  'case and trailing slash': (path) => withoutSlash(path).toLowerCase(),
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!^)\/$/, '')
}

/** The path as sent, decoded except for reserved characters (by `decodeURI`, but `%25` stays encoded), and decoded. */
function decodings(path: string): readonly string[] {
  if (!path.includes('%')) return [path]
  return [path, decodeURI(path.replaceAll('%25', '%2525')), decodeURIComponent(path)]
}

/** How the router treats paths. */
interface RouterRules {
  /** The path that the router matches, if it may differ from the one that was sent. */
  readonly routed: string | undefined
  readonly ignored: Ignored | undefined
}

/** Returns the URL with each spelling of its path that a router may treat as equal, beginning with the one that was sent. */
export function listSpellings(url: URL, { routed, ignored }: RouterRules): Iterable<URL> {
  const spellings = new Map([[url.pathname, url]])
  const add = (pathname: string) => {
    const other = Object.assign(new URL(url), { pathname })
    if (!spellings.has(other.pathname)) spellings.set(other.pathname, other)
  }
  const canonical = (path: string) => (ignored ? CANONICAL[ignored](path) : path)
  for (const path of new Set([url.pathname, routed ?? url.pathname].flatMap(decodings)))
    for (const each of new Set([path, path.replace(/\/{2,}/g, '/')])) {
      add(each)
      add(canonical(each))
    }
  return spellings.values()
}
