/** A site with limits on guessing, whose calls of `authorize` are counted. */
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import type { ProtectionOptions } from '../../../src/core/config/protection-options.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../../config.ts'

export const WRONG = { ...TYPED, password: 'wrong' }
export const BY_HEADER: ProtectionOptions = { clientAddress: { header: 'x-client' } }

export interface Site {
  readonly config: AuthConfig
  readonly calls: unknown[]
  readonly from: (address: string) => Browser
}

/** A site that counts the calls of `authorize`. */
export function site(
  protection: AuthConfig['protection'] = BY_HEADER,
  provider: Partial<CredentialsConfig> = {},
  options: Partial<AuthConfig> = {},
): Site {
  const calls: unknown[] = []
  const { config } = passwordConfig(
    { protection, ...options },
    {
      authorize: (credentials) => {
        calls.push(credentials)
        const { username, password } = credentials
        const id = String(username)
        return password === TYPED.password ? { id, email: `${id}@example.com` } : null
      },
      ...provider,
    },
  )
  const from = (address: string) => browser(config, { headers: { 'x-client': address } })
  return { config, calls, from }
}

/** The error in the URL of the page that the form leads to; `null`: signed in. */
export async function outcome(response: Response): Promise<string | null> {
  return new URL(response.headers.get('location') ?? '').searchParams.get('error')
}

export async function guess(tab: Browser, username = 'ada'): Promise<string | null> {
  return outcome(await enter(tab, { ...WRONG, username }))
}
