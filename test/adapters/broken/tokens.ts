import type { VerificationToken } from '../../../src/adapters/index.ts'
import { fault, query } from './fault.ts'
import type { Fault } from './fault.ts'

/** Tokens in a list of its own, for queries that are wrong. */
function list() {
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
    'useVerificationToken that reads first, and deletes then',
    'useVerificationToken gives a token to one of many at once',
    /^useVerificationToken, 50 times at once: expected exactly one to succeed, got 50/,
    () => {
      const { createVerificationToken, find, remove } = list()
      return {
        createVerificationToken,
        async useVerificationToken({ identifier, token }) {
          const found = find((each) => each.identifier === identifier && each.token === token)
          await query()
          if (found) remove(found)
          return found
        },
      }
    },
  ),
  fault(
    'useVerificationToken that does not delete',
    'useVerificationToken gives a token once',
    /^useVerificationToken, the second time: expected null, got \{/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        if (found) await memory.createVerificationToken(found)
        return found
      },
    }),
  ),
  fault(
    'useVerificationToken that throws when there is none',
    'useVerificationToken knows no other token',
    /^useVerificationToken knows no other token: the adapter threw Error: No record was found/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        if (!found) throw new Error('No record was found for a delete.')
        return found
      },
    }),
  ),
  fault(
    'useVerificationToken that ignores the identifier',
    'useVerificationToken needs both halves of the key',
    /^useVerificationToken, with the identifier of somebody else: expected null, got \{/,
    () => {
      const { createVerificationToken, find, remove } = list()
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
    'useVerificationToken that ends the link of whoever is named',
    'useVerificationToken needs both halves of the key',
    /^useVerificationToken, after attempts with half of the key: expected \{.*\}, got null/,
    (memory) => ({
      async useVerificationToken(key) {
        const found = await memory.useVerificationToken(key)
        await memory.deleteVerificationTokens(key.identifier)
        return found
      },
    }),
  ),
  fault(
    'one token at most for each identifier',
    'useVerificationToken leaves the other tokens',
    /^useVerificationToken, of two of one identifier: expected \{.*\}, got null/,
    (memory) => ({
      async createVerificationToken(token) {
        await memory.deleteVerificationTokens(token.identifier)
        return memory.createVerificationToken(token)
      },
    }),
  ),
  fault(
    'a column for identifiers that knows ASCII only',
    'createVerificationToken stores odd and long identifiers',
    /^createVerificationToken of "o'.*@zoë\.example".*: expected/,
    (memory) => ({
      createVerificationToken: async (token) =>
        memory.createVerificationToken({
          ...token,
          identifier: token.identifier.replaceAll(/[^ -~]/g, '?'),
        }),
    }),
  ),
  fault(
    'tokens that are marked as used, and never deleted',
    'createVerificationToken puts back what was used',
    /^createVerificationToken puts back what was used: the adapter threw Error: duplicate key/,
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
    'deleteVerificationTokens that does nothing',
    'deleteVerificationTokens deletes all tokens of an identifier',
    /^deleteVerificationTokens, then useVerificationToken: expected null, got \{/,
    () => ({ deleteVerificationTokens: async () => undefined }),
  ),
  fault(
    'deleteExpired that forgets the tokens',
    'deleteExpired deletes tokens that ended before, and no others',
    /^deleteExpired, then useVerificationToken of a token that ended before: expected null, got \{/,
    () => ({ deleteExpired: async () => undefined }),
  ),
]
