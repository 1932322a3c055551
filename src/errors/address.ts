/**
 * The address of a page without the error that an earlier attempt has left in it: whoever goes there after the
 * next one has not failed. A `code` alone belongs to the application.
 */
export function withoutError(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url?.searchParams.has('error')) return address
  url.searchParams.delete('error')
  url.searchParams.delete('code')
  return url.href
}
