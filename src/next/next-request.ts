import type { NextRequest } from 'next/server.js'
import { lazily } from '../cache.ts'
import { createActionURL } from '../config/env.ts'

// Not next/server.js, which loads many other modules.
const load = lazily(() => import('next/dist/server/web/spec-extension/request.js'))

/** Kept, so that the configuration for a request is created only once. */
const requests = new WeakMap<object, NextRequest>()

/** Ignores X-Forwarded-Host: whether it is trusted is decided later. */
function addressOf(headers: Headers, path: string): URL {
  try {
    const direct = new Headers(headers)
    direct.delete('x-forwarded-host')
    const { origin } = createActionURL('session', undefined, direct, {}, {})
    return new URL(origin + (path.startsWith('/') ? path : '/'))
  } catch {
    // Reading the session reports the invalid host, unless the configuration sets the origin.
    return new URL('http://localhost/')
  }
}

export function rememberRequest(key: object, request: NextRequest): void {
  requests.set(key, request)
}

export async function nextRequestFor(
  key: object,
  headers: Headers,
  path: string = '/',
): Promise<NextRequest> {
  const { NextRequest } = await load()
  const request = requests.get(key) ?? new NextRequest(addressOf(headers, path), { headers })
  requests.set(key, request)
  return request
}
