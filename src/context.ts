import type { ResolvedConfig, SessionContext } from './contracts.ts'
import type { CookieJar } from './cookies/jar.ts'
import { LIMITS } from './deadline.ts'
import { selectCookiePolicy } from './http/cookie-policy.ts'
import { publicOrigin } from './http/origin.ts'
import type { ReadRequest } from './http/read-headers.ts'
import { createSecrets } from './log/secrets.ts'

/** Builds the context of a request. @throws UntrustedHost, InvalidRequest */
export function createContext(
  caller: ReadRequest,
  jar: CookieJar,
  config: ResolvedConfig,
): SessionContext {
  return {
    config,
    jar,
    origin: publicOrigin(caller.url, caller.headers, config.trust),
    cookies: selectCookiePolicy(caller, jar, config),
    deadline: Date.now() + LIMITS.request,
    secrets: createSecrets(caller),
  }
}
