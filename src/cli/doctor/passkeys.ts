/** What passkeys need besides the configuration: their packages, and methods of the adapter. */
import type { Adapter } from '../../core/database/adapter.ts'
import { storesRecords } from '../../core/config/adapter.ts'
import type { AuthConfig } from '../../core/config/types.ts'
import { topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

const METHODS = { updateAuthenticator: 'renamed', deleteAuthenticator: 'removed' } as const

function* checkMethods(adapter: Adapter): Generator<Finding> {
  for (const [method, effect] of Object.entries(METHODS))
    if (!(method in adapter))
      yield topic('passkeys')
        .warning`the adapter has no ${method}: passkeys cannot be ${effect}. → Implement ${method}, as docs/reference/adapters.md describes it.`
}

/** The import resolves as in `lib-auth/webauthn`. */
async function isBrowserPackageInstalled(): Promise<boolean> {
  try {
    await import('@simplewebauthn/browser')
    return true
  } catch {
    return false
  }
}

/** What only some applications need. */
async function* notes(adapter: Adapter, { store }: AuthConfig): AsyncGenerator<Finding> {
  const { ok } = topic('passkeys')
  if (!(await isBrowserPackageInstalled()))
    yield ok`@simplewebauthn/browser is not installed. Only pages that import lib-auth/webauthn need it. → For those, run: npm install @simplewebauthn/browser`
  if (!storesRecords({ adapter, store }))
    yield ok`a response can be used once in each process, because there is no store of records. → For several processes, set store, for example to RedisAdapter(client).`
}

/** Loads the packages, and reports missing methods; nothing without a provider of type `webauthn`. */
export async function checkPasskeys(
  { config, providers, quote }: DoctorContext,
  adapter: Adapter,
): Promise<readonly Finding[]> {
  const load = providers.flatMap((each) => (each.type === 'webauthn' ? [each.simpleWebAuthn] : []))
  if (load.length === 0) return []
  const { ok, error } = topic('passkeys')
  try {
    for (const each of load) if (typeof each === 'function') await each()
  } catch (cause) {
    return [error`${quote(cause)} → Run: npm install @simplewebauthn/server`]
  }
  const findings = [...checkMethods(adapter)]
  if (findings.length === 0)
    findings.push(
      ok`@simplewebauthn/server is installed, and the adapter can rename and remove passkeys.`,
    )
  for await (const note of notes(adapter, config)) findings.push(note)
  return findings
}
