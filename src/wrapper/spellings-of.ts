/** What a router may ignore when it compares paths. */
export type Ignored = 'trailing slash' | 'case and trailing slash'

const CANONICAL: Readonly<Record<Ignored, (path: string) => string>> = {
  'trailing slash': withoutSlash,
  'case and trailing slash': (path) => withoutSlash(path).toLowerCase(),
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!^)\/$/, '')
}

/** The URL with each spelling of its path that a router may take for the same, beginning with the one that was sent. */
export function spellingsOf(url: URL, ignored: Ignored | undefined): Iterable<URL> {
  const decoded = decodeURIComponent(url.pathname)
  const collapsed = decoded.replace(/\/{2,}/g, '/')
  const canonical = ignored ? CANONICAL[ignored](collapsed) : collapsed
  const spellings = new Map([[url.pathname, url]])
  for (const pathname of [decoded, collapsed, canonical]) {
    const other = Object.assign(new URL(url), { pathname })
    if (!spellings.has(other.pathname)) spellings.set(other.pathname, other)
  }
  return spellings.values()
}
