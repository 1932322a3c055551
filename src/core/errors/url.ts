/** `undefined` if it is not a URL. Supported browsers may lack `URL.canParse`. */
export function parseURL(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base || undefined)
  } catch {
    return undefined
  }
}

/** Removes the error of an earlier sign-in from a URL. A `code` or `retryAfter` without `error` belongs to the application. */
export function withoutError(address: string): string {
  const url = parseURL(address)
  if (!url?.searchParams.has('error')) return address
  url.searchParams.delete('error')
  url.searchParams.delete('code')
  url.searchParams.delete('retryAfter')
  return url.href
}
