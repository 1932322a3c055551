import type { AdapterUser } from '../database/adapter.ts'

/** A text that changes with the address, and with each verification, which may have removed sign-in methods of the user. */
export function addressState({ email, emailVerified }: AdapterUser): string {
  return JSON.stringify([email || null, emailVerified?.getTime() ?? null])
}
