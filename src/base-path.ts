/** A base path as we use it: with a slash in front and none behind; empty for the root. */
export function normalizeBasePath(basePath: string): string {
  const inner = basePath.replace(/^\/+|\/+$/g, '')
  return inner && `/${inner}`
}
