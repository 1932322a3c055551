/** A URL; `undefined` for what is none. Browsers that are still around have no `URL.canParse`. */
export function parseURL(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base || undefined)
  } catch {
    return undefined
  }
}

/**
 * The address of a page without the error that an earlier attempt has left in it: whoever goes there after the
 * next one has not failed. A `code` alone belongs to the application.
 */
export function withoutError(address: string): string {
  const url = parseURL(address)
  if (!url?.searchParams.has('error')) return address
  url.searchParams.delete('error')
  url.searchParams.delete('code')
  return url.href
}
