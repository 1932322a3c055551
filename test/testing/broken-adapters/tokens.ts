import type { VerificationToken } from '../../../src/adapters/index.ts'
import { fault, delay } from './fault.ts'
import type { Fault } from './fault.ts'

/** Tokens in a separate list, for faulty queries. */
function tokenList() {
  const tokens: VerificationToken[] = []
  return {
    find: (matches: (token: VerificationToken) => boolean) => tokens.find(matches) ?? null,
    remove: (token: VerificationToken) => {
      if (tokens.includes(token)) tokens.splice(tokens.indexOf(token), 1)
    },
    createVerificationToken: async (token: VerificationToken) => {
      tokens.push(token)
      return token
    },
  }
}

export const tokenFaults: readonly Fault[] = [
  fault(
    'useVerificationToken with a race condition between read and delete',
    'useVerificationToken returns a token to one of fifty concurrent calls',
    /^useVerificationToken, 50 concurrent calls: expected exactly one to succeed, got 50/,
    () => {
      const { createVerificationToken, find, remove } = tokenList()
      return {
        createVerificationToken,
        async useVerificationToken({ identifier, token }) {
          const found = find((each) => each.identifier === identifier && each.token === token)
          await delay()
          if (found) remove(found)
          return found
        },
      }
    },
  ),
  fault(
    'useVerificationToken keeping the token',
    'useVerificationToken returns a token once',
    /^useVerificationToken\(\{ .* \}\) after useVerificationToken: expected null, got \{/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        if (found) await memory.createVerificationToken(found)
        return found
      },
    }),
  ),
  fault(
    'useVerificationToken throwing for an unknown token',
    'useVerificationToken returns null for an unknown token',
    /^useVerificationToken\(\{ .* \}\): expected no error, got Error: No record was found/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        if (!found) throw new Error('No record was found for a delete.')
        return found
      },
    }),
  ),
  fault(
    'useVerificationToken ignoring the identifier',
    'useVerificationToken matches identifier and token',
    /^useVerificationToken\(\{ .* \}\) after createVerificationToken: expected null, got \{/,
    () => {
      const { createVerificationToken, find, remove } = tokenList()
      return {
        createVerificationToken,
        async useVerificationToken({ token }) {
          const found = find((each) => each.token === token)
          if (found) remove(found)
          return found
        },
      }
    },
  ),
  fault(
    'useVerificationToken deleting all tokens of the identifier',
    'useVerificationToken matches identifier and token',
    /^useVerificationToken\(\{ .* \}\) after useVerificationToken: expected \{.*\}, got null/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        await memory.deleteVerificationTokens(key.identifier)
        return found
      },
    }),
  ),
  fault(
    'createVerificationToken deleting earlier tokens of the identifier',
    'useVerificationToken keeps the other tokens of the identifier',
    /^useVerificationToken\(\{ .* \}\) after useVerificationToken: expected \{.*\}, got null/,
    (memory) => ({
      async createVerificationToken(token) {
        await memory.deleteVerificationTokens(token.identifier)
        return memory.createVerificationToken(token)
      },
    }),
  ),
  fault(
    'an identifier column that stores ASCII only',
    'createVerificationToken stores long identifiers and Unicode',
    /^useVerificationToken\(\{ identifier: "o'.*@zoë\.example", .* \}\) after createVerificationToken.*: expected/,
    (memory) => ({
      createVerificationToken: async (token) =>
        memory.createVerificationToken({
          ...token,
          identifier: token.identifier.replaceAll(/[^ -~]/g, '?'),
        }),
    }),
  ),
  fault(
    'tokens marked as used instead of deleted',
    'createVerificationToken stores a used token again',
    /^createVerificationToken\(\{ .* \}\) after useVerificationToken: expected no error, got Error: duplicate key/,
    (memory) => {
      const tokens = new Set<string>()
      return {
        async createVerificationToken(token) {
          if (tokens.has(token.token)) throw new Error('duplicate key')
          tokens.add(token.token)
          return memory.createVerificationToken(token)
        },
      }
    },
  ),
  fault(
    'deleteVerificationTokens having no effect',
    'deleteVerificationTokens deletes all tokens of an identifier',
    /^useVerificationToken\(\{ .* \}\) after deleteVerificationTokens: expected null, got \{/,
    () => ({ deleteVerificationTokens: async () => undefined }),
  ),
  fault(
    'deleteExpired keeping expired tokens',
    'deleteExpired deletes tokens that expire before the given time',
    /^useVerificationToken\(\{ .* \}\) after deleteExpired: expected null, got \{/,
    () => ({ deleteExpired: async () => undefined }),
  ),
]
