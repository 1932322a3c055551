import { fault } from './fault.ts'
import type { Fault } from './fault.ts'

const truncate = (text: string): string => text.slice(0, 255)

/** Databases that truncate long strings or do not escape strings. */
export const identifierFaults: readonly Fault[] = [
  fault(
    'an e-mail column that truncates',
    'getUserByEmail matches any text exactly',
    /^getUserByEmail\(".*" \(255 characters\)\) after createUser: expected null, got \{/,
    (memory) => ({
      createUser: (user) => memory.createUser({ ...user, email: truncate(user.email) }),
      getUserByEmail: (email) => memory.getUserByEmail(truncate(email)),
    }),
  ),
  fault(
    'account ids that are truncated',
    'getUserByAccount matches any text exactly',
    /^getUserByAccount\(\{ .*" \(255 characters\) \}\) after linkAccount: expected null, got \{/,
    (memory) => ({
      linkAccount: (account) =>
        memory.linkAccount({ ...account, providerAccountId: truncate(account.providerAccountId) }),
      getUserByAccount: ({ provider, providerAccountId }) =>
        memory.getUserByAccount({ provider, providerAccountId: truncate(providerAccountId) }),
    }),
  ),
  fault(
    'session tokens that are not escaped',
    'getSessionAndUser matches any text exactly',
    /^getSessionAndUser\("' or .*"\): expected no error, got Error: syntax/,
    (memory) => ({
      async getSessionAndUser(token) {
        if (token.includes("'")) throw new Error('syntax')
        return memory.getSessionAndUser(token)
      },
    }),
  ),
  fault(
    'an identifier column that truncates',
    'useVerificationToken matches any identifier exactly',
    /^useVerificationToken\(\{ .*" \(255 characters\), .* \}\) after .*: expected null, got \{/,
    (memory) => ({
      createVerificationToken: (row) =>
        memory.createVerificationToken({ ...row, identifier: truncate(row.identifier) }),
      useVerificationToken: ({ identifier, token }) =>
        memory.useVerificationToken({ identifier: truncate(identifier), token }),
    }),
  ),
  fault(
    'user ids that are not escaped',
    'getUser returns null for any text that is not an id',
    /^getUser\("' or .*"\): expected no error, got Error: syntax/,
    (memory) => ({
      async getUser(id) {
        if (id.includes("'")) throw new Error('syntax')
        return memory.getUser(id)
      },
    }),
  ),
  fault(
    'verification tokens that are not escaped',
    'useVerificationToken returns null for any text that is not a token',
    /^useVerificationToken\(\{ .*' or .* \}\): expected no error, got Error: syntax/,
    (memory) => ({
      async useVerificationToken(key) {
        if (key.token.includes("'")) throw new Error('syntax')
        return memory.useVerificationToken(key)
      },
    }),
  ),
]
