/** Appends a path to the path of a URL. */
export function subpath(base: string | URL, path: string): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/?$/, `/${path}`)
  return url
}
