/** What passkeys need besides the configuration: their packages, and methods of the adapter. */
import type { Adapter } from '../../adapters/index.ts'
import { topic } from './subject.ts'
import type { Finding, Subject } from './subject.ts'

const METHODS = { updateAuthenticator: 'renamed', deleteAuthenticator: 'removed' } as const

function* checkMethods(adapter: Adapter): Generator<Finding> {
  for (const [method, effect] of Object.entries(METHODS))
    if (!(method in adapter))
      yield topic('passkeys')
        .warning`the adapter has no ${method}: passkeys cannot be ${effect}. → Implement ${method}, as docs/reference/adapters.md describes it.`
}

/** The import resolves as in `lib-auth/webauthn`. Not an error: applications with the built-in page do not need it. */
async function checkBrowserPackage(): Promise<Finding | null> {
  try {
    await import('@simplewebauthn/browser')
    return null
  } catch {
    return topic('passkeys')
      .ok`@simplewebauthn/browser is not installed. Only pages that import lib-auth/webauthn need it. → For those, run: npm install @simplewebauthn/browser`
  }
}

/** Loads the packages, and reports missing methods; nothing without a provider of type `webauthn`. */
export async function checkPasskeys(
  { providers, quote }: Subject,
  adapter: Adapter,
): Promise<readonly Finding[]> {
  const load = providers.flatMap((each) => (each.type === 'webauthn' ? [each.simpleWebAuthn] : []))
  if (load.length === 0) return []
  try {
    for (const each of load) if (typeof each === 'function') await each()
  } catch (cause) {
    return [topic('passkeys').error`${quote(cause)} → Run: npm install @simplewebauthn/server`]
  }
  const findings = [...checkMethods(adapter), await checkBrowserPackage()].filter(
    (each) => each !== null,
  )
  return findings.length > 0
    ? findings
    : [
        topic('passkeys')
          .ok`their packages are installed, and the adapter can rename and remove them.`,
      ]
}
