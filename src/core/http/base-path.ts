/** Formats a base path with a leading and without a trailing slash; the root is empty. */
export function trimBasePath(basePath: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '')
  return inner && `/${inner}`
}

/** Formats a base path, percent-encoded as in the URL of a request (RFC 3986 §2.1). */
export function normalizeBasePath(basePath: string): string {
  const path = trimBasePath(basePath)
  if (/^[\w.~/-]*$/.test(path)) return path
  return new URL(`http://host${path.replace(/[?#\\]/g, encodeURIComponent)}`).pathname
}
