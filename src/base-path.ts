/** Characters that would end the path of a URL, or separate its segments. */
const DELIMITERS = /[?#\\]/g

/** A base path with a slash in front and none behind; empty for the root. */
export function trimBasePath(basePath: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '')
  return inner && `/${inner}`
}

/** The same, percent-encoded as in the URL of a request (RFC 3986 §2.1). */
export function normalizeBasePath(basePath: string): string {
  const path = trimBasePath(basePath)
  if (/^[\w.~/-]*$/.test(path)) return path
  return new URL(`http://host${path.replace(DELIMITERS, encodeURIComponent)}`).pathname
}
