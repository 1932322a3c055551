import { list, remove, rename } from '../../core/identity/manage-passkeys.ts'
import type { Answer } from '../../core/call-result.ts'
import type { ReadRequest } from '../../core/http/read-headers.ts'
import type { ConfigFor, PreparedConfig } from './config.ts'
import { appRequest, isPrerendered } from './current-request.ts'
import type { Passkeys } from './types.ts'

type Call<T> = (caller: ReadRequest, config: PreparedConfig) => Promise<Answer<T | null>>

/** The functions for the session of the current request. */
export function createPasskeys(configFor: ConfigFor): Passkeys {
  async function run<T>(call: Call<T>): Promise<T | null> {
    const current = await appRequest('passkeys')
    if (isPrerendered(current)) return null
    const { value, cookies } = await call(current, await configFor(current))
    try {
      if (cookies.length > 0) current.setCookies(cookies)
    } catch {
      // Cookies cannot be set while a page is rendered. The next call or request that can set them extends the session.
    }
    return value
  }

  return {
    list: async () => run(list),
    rename: async (credentialID, name) =>
      run((caller, config) => rename(caller, config, credentialID, name)),
    remove: async (credentialID, options) =>
      run((caller, config) => remove(caller, config, credentialID, options)),
  }
}
