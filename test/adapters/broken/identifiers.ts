import { fault } from './fault.ts'
import type { Fault } from './fault.ts'

const cut = (text: string): string => text.slice(0, 255)

/** Databases that cut off what is too long. */
export const identifierFaults: readonly Fault[] = [
  fault(
    'addresses that are cut off',
    'getUserByEmail takes any text, and finds what was stored or nothing',
    /^getUserByEmail, with ".*, field email: expected ".*, got "/,
    (memory) => ({
      createUser: (user) => memory.createUser({ ...user, email: cut(user.email) }),
      getUserByEmail: (email) => memory.getUserByEmail(cut(email)),
    }),
  ),
  fault(
    'accounts whose ids are cut off',
    'getUserByAccount takes any text, and finds what was stored or nothing',
    /^getUserByAccount, with a part of ".*: expected null, got \{/,
    (memory) => ({
      linkAccount: (account) =>
        memory.linkAccount({ ...account, providerAccountId: cut(account.providerAccountId) }),
      getUserByAccount: ({ provider, providerAccountId }) =>
        memory.getUserByAccount({ provider, providerAccountId: cut(providerAccountId) }),
    }),
  ),
  fault(
    'sessions that cannot be asked for with quotes',
    'getSessionAndUser takes any text, and finds what was stored or nothing',
    /^getSessionAndUser takes any text.*: the adapter threw Error: syntax/,
    (memory) => ({
      async getSessionAndUser(token) {
        if (token.includes("'")) throw new Error('syntax')
        return memory.getSessionAndUser(token)
      },
    }),
  ),
  fault(
    'links whose addresses are cut off',
    'useVerificationToken takes any text, and finds what was stored or nothing',
    /^useVerificationToken, with a part of ".*: expected null, got \{/,
    (memory) => ({
      createVerificationToken: (row) =>
        memory.createVerificationToken({ ...row, identifier: cut(row.identifier) }),
      useVerificationToken: ({ identifier, token }) =>
        memory.useVerificationToken({ identifier: cut(identifier), token }),
    }),
  ),
]
