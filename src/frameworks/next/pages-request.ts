/** A request in the Pages Router. */
import { setCookieHeader } from '../../core/get-session.ts'
import { cookieName, nextCookieHeader } from '../shared/cookies.ts'
import { currentRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { isPagesResponse } from './shape.ts'
import type { PagesCall, PagesResponse } from './shape.ts'

function setCookieHeaders(response: PagesResponse): string[] {
  // On the edge, `getHeader` joins the values.
  if (response.headers) return response.headers.getSetCookie()
  return [response.getHeader('set-cookie') ?? []].flat().map(String)
}

const unshared = new WeakSet<PagesResponse>()

/** Forbids shared caching of a response, whatever `Cache-Control` the page sets. */
function keepPrivate(response: PagesResponse): void {
  if (!response.headersSent) response.setHeader('cache-control', 'private, no-store')
  if (unshared.has(response)) return
  unshared.add(response)
  const { setHeader } = response
  Object.assign(response, {
    setHeader(this: PagesResponse, name: string, value: string | readonly string[]): unknown {
      return name.toLowerCase() === 'cache-control' ? this : setHeader.call(this, name, value)
    },
  })
}

/** The request of an API route, or of `getServerSideProps`. */
export function pagesRequest({ req, res, resolvedUrl }: PagesCall): CurrentRequest {
  const response = isPagesResponse(res) ? res : undefined
  const { headers } = req
  const read = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  // The proxy may have set cookies of a session that it extended.
  if (response && setCookieHeaders(response).length > 0) keepPrivate(response)
  return currentRequest({
    key: req,
    list: { get: read, keys: () => Object.keys(headers).filter((name) => read(name) !== null) },
    // `resolvedUrl` is that of the page, even if Next requests only its data.
    path: resolvedUrl ?? req.url,
    method: req.method,
    cookies: () => nextCookieHeader(read('cookie'), response ? setCookieHeaders(response) : []),
    setCookies(changes) {
      if (!response)
        throw new TypeError(
          'auth(request) cannot set cookies without a response. Pass (request, response).',
        )
      const changed = new Set(changes.map(({ name }) => name))
      const others = setCookieHeaders(response).filter((each) => !changed.has(cookieName(each)))
      response.setHeader('set-cookie', [...others, ...changes.map(setCookieHeader)])
      keepPrivate(response)
    },
  })
}
