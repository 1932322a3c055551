import type { AdapterAccount, AdapterAuthenticator } from '../../../src/adapters/index.ts'
import { fault, folded, delay, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const userFaults: readonly Fault[] = [
  fault(
    'createUser returning the given id instead of the stored one',
    'createUser stores a user and returns the stored row',
    /^getUser\(".*"\) after createUser: expected .*, got null/,
    (memory) => ({
      createUser: async (user) => ({
        ...(await memory.createUser({ ...user, id: '' })),
        id: user.id,
      }),
    }),
  ),
  fault(
    'createUser returning undefined',
    'createUser stores a user and returns the stored row',
    /^createUser, field id: expected a string, got undefined/,
    (memory) => ({ createUser: async (user) => untyped(void (await memory.createUser(user))) }),
  ),
  fault(
    'dates returned as strings',
    'createUser stores a user and returns the stored row',
    /^getUser\(".*"\) after createUser, field emailVerified: expected Date\(2021-02-03T04:05:06\.789Z\), got "2021-02-03T04:05:06\.789Z"/,
    (memory) => ({
      async getUser(id) {
        const user = await memory.getUser(id)
        return user && { ...user, emailVerified: untyped(user.emailVerified?.toISOString()) }
      },
    }),
  ),
  fault(
    'dates without milliseconds',
    'createUser stores a user and returns the stored row',
    /field emailVerified: .*06\.789Z\), got Date\(.*06\.000Z\)/,
    (memory) => ({
      async createUser(user) {
        const emailVerified = user.emailVerified && new Date(user.emailVerified)
        emailVerified?.setMilliseconds(0)
        return memory.createUser({ ...user, emailVerified })
      },
    }),
  ),
  fault(
    'a name column that stores ASCII only',
    'createUser stores long texts, Unicode and null',
    /^getUserByEmail\("o'.*"\) after createUser, field name: expected "Zoë .*", got "Zo\?/,
    (memory) => ({
      createUser: async (user) =>
        memory.createUser({ ...user, name: user.name?.replaceAll(/[^ -~]/g, '?') }),
    }),
  ),
  fault(
    'createUser with a race condition between lookup and insert',
    'createUser stores an address in one of fifty concurrent calls',
    /^createUser, 50 concurrent calls: expected exactly one to succeed, got 50/,
    (memory) => {
      const addresses = new Set<string>()
      return {
        async createUser(user) {
          if (addresses.has(user.email)) throw new Error('The address is taken.')
          await delay()
          addresses.add(user.email)
          const created = await memory.createUser({ ...user, email: crypto.randomUUID() })
          return { ...created, email: user.email }
        },
      }
    },
  ),
  fault(
    'getUser returning undefined for an unknown user',
    'getUser returns null for an unknown id',
    /^getUser\(".*"\): expected null, got undefined/,
    (memory) => ({ getUser: async (id) => untyped((await memory.getUser(id)) ?? undefined) }),
  ),
  fault(
    'an e-mail column that ignores case and accents',
    'getUserByEmail matches the exact address only',
    /^getUserByEmail\("E.*"\) after createUser: expected null, got \{/,
    (memory) => {
      const ids = new Map<string, string>()
      return {
        async createUser(user) {
          const created = await memory.createUser(user)
          ids.set(folded(user.email), created.id)
          return created
        },
        getUserByEmail: async (email) => memory.getUser(ids.get(folded(email)) ?? ''),
      }
    },
  ),
  fault(
    'updateUser replacing the row',
    'updateUser changes the given fields of one user',
    /^updateUser\(\{ id: ".*", emailVerified: .* \}\) after createUser, field name: expected "Ada Lovelace", got null/,
    (memory) => ({
      updateUser: async (user) => memory.updateUser({ name: null, image: null, ...user }),
    }),
  ),
  fault(
    'updateUser returning only the changes',
    'updateUser changes the given fields of one user',
    /^updateUser\(\{ id: ".*", emailVerified: .* \}\) after createUser, field name: expected "Ada Lovelace", got undefined/,
    (memory) => ({
      async updateUser(user) {
        await memory.updateUser(user)
        return untyped(user)
      },
    }),
  ),
  fault(
    'updateUser ignoring null',
    'updateUser clears fields that are null',
    /^getUser\(".*"\) after updateUser, field name: expected null, got "Ada Lovelace"/,
    (memory) => ({
      async updateUser(user) {
        const given = Object.entries(user).filter(([, value]) => value !== null)
        return memory.updateUser({ id: user.id, ...Object.fromEntries(given) })
      },
    }),
  ),
  fault(
    'updateUser returning its argument for an unknown user',
    'updateUser throws for an unknown user',
    /^updateUser\(\{ id: .* \}\): expected an error, got \{ id: /,
    (memory) => ({
      updateUser: async (user) =>
        (await memory.getUser(user.id)) ? memory.updateUser(user) : untyped(user),
    }),
  ),
  fault(
    'deleteUser keeping the user',
    'deleteUser deletes one user',
    /^getUser\(".*"\) after deleteUser: expected null, got \{/,
    () => ({ deleteUser: async () => null }),
  ),
  fault(
    'deleteUser keeping the accounts',
    'deleteUser deletes the accounts of the user',
    /^linkAccount\(\{ .* \}\) after deleteUser: expected no error, got Error: duplicate/,
    (memory) => {
      const keys = new Set<string>()
      return {
        async linkAccount(account: AdapterAccount) {
          const key = `${account.provider} ${account.providerAccountId}`
          if (keys.has(key)) throw new Error('duplicate key')
          keys.add(key)
          await memory.linkAccount(account)
        },
      }
    },
  ),
  fault(
    'deleteUser keeping the sessions',
    'deleteUser deletes the sessions of the user',
    /^createSession\(\{ .* \}\) after deleteUser: expected no error, got Error: duplicate/,
    (memory) => {
      const tokens = new Set<string>()
      return {
        async createSession(session) {
          if (tokens.has(session.sessionToken)) throw new Error('duplicate key')
          tokens.add(session.sessionToken)
          return memory.createSession(session)
        },
      }
    },
  ),
  fault(
    'deleteUser keeping the passkeys',
    'deleteUser deletes the passkeys of the user',
    /^getAuthenticator\(".*"\) after deleteUser: expected null, got \{/,
    (memory) => {
      const passkeys = new Map<string, AdapterAuthenticator>()
      return {
        async createAuthenticator(passkey) {
          passkeys.set(passkey.credentialID, passkey)
          return memory.createAuthenticator(passkey)
        },
        getAuthenticator: async (id) => passkeys.get(id) ?? null,
      }
    },
  ),
]
