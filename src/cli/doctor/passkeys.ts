/** What passkeys need besides the configuration: their packages, and methods of the adapter. */
import type { Adapter } from '../../core/database/adapter.ts'
import { storesRecords } from '../../core/config/adapter.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

const METHODS = { updateAuthenticator: 'renamed', deleteAuthenticator: 'removed' } as const

/** The import resolves as in `lib-auth/webauthn`. */
async function isBrowserPackageInstalled(): Promise<boolean> {
  try {
    await import('@simplewebauthn/browser')
    return true
  } catch {
    return false
  }
}

/** Loads the packages, and reports missing methods; nothing without a provider of type `webauthn`. */
export async function* checkPasskeys(
  { config: { store }, providers, quote }: DoctorContext,
  adapter: Adapter,
): AsyncGenerator<Finding> {
  const load = providers.flatMap((each) => (each.type === 'webauthn' ? [each.simpleWebAuthn] : []))
  if (load.length === 0) return
  const { ok, warning, error } = topic('passkeys')
  try {
    for (const each of load) if (typeof each === 'function') await each()
  } catch (cause) {
    const why = quote(cause)
    const install = 'npm install @simplewebauthn/server'
    // The message of the provider module contains it.
    return yield why.includes(install) ? error`${why}` : error`${why} → Run: ${install}`
  }
  const missing = Object.entries(METHODS).filter(([method]) => !(method in adapter))
  for (const [method, effect] of missing)
    yield warning`the adapter has no ${method}: passkeys cannot be ${effect}. → Implement ${method}, as docs/reference/adapters.md describes it.`
  if (missing.length === 0)
    yield ok`@simplewebauthn/server is installed, and the adapter can rename and remove passkeys.`
  // What only some applications need.
  if (!(await isBrowserPackageInstalled()))
    yield ok`@simplewebauthn/browser is not installed. Only pages that import lib-auth/webauthn need it. → For those, run: npm install @simplewebauthn/browser`
  if (!storesRecords({ adapter, store }))
    yield ok`a response can be used once in each process, because there is no store of records. → For several processes, set store, for example to RedisAdapter(client).`
}
