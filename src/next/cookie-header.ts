export function cookieName(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf('='))
}

/** The Cookie header that the browser will send after these Set-Cookie headers. */
export function nextCookieHeader(header: string | null, setCookies: readonly string[]): string {
  const changed = new Map(setCookies.map((each) => [cookieName(each), each.split(';', 1)[0] ?? '']))
  const pairs = (header ?? '').split(/; */).filter(Boolean)
  const kept = pairs.filter((pair) => !changed.has(pair.split('=', 1)[0] ?? ''))
  const added = [...changed.values()].filter((pair) => !pair.endsWith('='))
  return [...kept, ...added].join('; ')
}
