'use client'
import { routes } from '../client/page-state.ts'
import type { PublicProvider, Session } from '../../core/types.ts'
import type { GetSessionParams } from './server.ts'

export { signIn, signOut } from '../client/page-functions.ts'

async function readRoute<T>(route: string, params?: GetSessionParams): Promise<T | null> {
  const available = globalThis.location
    ? routes()
    : (await import('./server.ts')).serverRoutes(params)
  try {
    return await available.readJson<T>(route)
  } catch (error) {
    console.error(error)
    return null
  }
}

/**
 * Reads the session; `null` if unauthenticated, or after an error, which is logged. Outside a browser, it requires the
 * request or its headers, and `AUTH_URL`.
 *
 * @throws InvalidConfiguration outside a browser, if no variable contains the URL of the site
 */
export function getSession(params?: GetSessionParams): Promise<Session | null> {
  return readRoute('session', params)
}

/** Returns the CSRF token for forms; empty after an error. */
export async function getCsrfToken(params?: GetSessionParams): Promise<string> {
  const body = await readRoute<{ csrfToken: string }>('csrf', params)
  return body?.csrfToken ?? ''
}

/** Returns the configured providers by id; `null` after an error. */
export function getProviders(): Promise<Record<string, PublicProvider> | null> {
  return readRoute('providers')
}
