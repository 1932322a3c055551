/** The users of the provider for development. */
import type { Values } from '../../testing/types.ts'

export interface User extends Values {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
}

export const USERS: readonly User[] = [
  { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true },
  { sub: 'alan', name: 'Alan Turing', email: 'alan@example.com', email_verified: true },
  { sub: 'grace', name: 'Grace Hopper', email: 'grace@example.com', email_verified: false },
]

/** The claims that the scopes of a request include (OpenID Connect Core §5.4). */
export function selectClaims({ sub, name, ...address }: User, scopes: readonly string[]): Values {
  return {
    sub,
    ...(scopes.includes('profile') && { name }),
    ...(scopes.includes('email') && address),
  }
}
