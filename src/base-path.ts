/** Characters that would end the path of a URL, or separate its segments. */
const DELIMITERS = /[?#\\]/g

/**
 * A base path as requests contain it: with a slash in front and none behind, percent-encoded (RFC 3986 §2.1); empty
 * for the root.
 */
export function normalizeBasePath(basePath: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '')
  if (/^[\w.~/-]*$/.test(inner)) return inner && `/${inner}`
  return new URL(`http://host/${inner.replace(DELIMITERS, encodeURIComponent)}`).pathname
}
