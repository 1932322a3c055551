/** Makes the request for a configuration where Next hands over none: of the headers, and the path if it is known. */
import type { NextRequest } from 'next/server.js'
import { createActionURL } from '../config/env.ts'
import { lazily } from '../lazily.ts'

// Not next/server.js: most of what else it holds would be loaded for nothing.
const load = lazily(() => import('next/dist/server/web/spec-extension/request.js'))

/** The request for each current request: made once, so that what is made for it can be kept, too. */
const requests = new WeakMap<object, NextRequest>()

/** The address in the Host header; whether a forwarded host is trusted is decided later. */
function addressOf(headers: Headers, path: string): URL {
  try {
    const direct = new Headers(headers)
    direct.delete('x-forwarded-host')
    const { origin } = createActionURL('session', undefined, direct, {}, {})
    return new URL(origin + (path.startsWith('/') ? path : '/'))
  } catch {
    // Reading the session says what is wrong, unless the configuration knows where the site is.
    return new URL('http://localhost/')
  }
}

/** Keeps the request that Next has handed over. */
export function keepRequest(key: object, request: NextRequest): void {
  requests.set(key, request)
}

/** The request that Next has handed over, else one made of the headers. */
export async function givenRequest(
  key: object,
  headers: Headers,
  path: string = '/',
): Promise<NextRequest> {
  const { NextRequest } = await load()
  const request = requests.get(key) ?? new NextRequest(addressOf(headers, path), { headers })
  requests.set(key, request)
  return request
}
