import type { AdapterAccount, AdapterAuthenticator } from '../../../src/adapters/index.ts'
import { fault, folded, query, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const userFaults: readonly Fault[] = [
  fault(
    'createUser that returns the id it was given instead of the one it stored',
    'createUser returns what it stored',
    /^getUser, of a user just created: expected .*, got null/,
    (memory) => ({
      createUser: async (user) => ({
        ...(await memory.createUser({ ...user, id: '' })),
        id: user.id,
      }),
    }),
  ),
  fault(
    'createUser that returns nothing',
    'createUser returns what it stored',
    /^createUser, field id: expected a text, got undefined/,
    (memory) => ({ createUser: async (user) => untyped(void (await memory.createUser(user))) }),
  ),
  fault(
    'dates that are texts',
    'createUser returns what it stored',
    /^getUser, of a user just created, field emailVerified: expected Date\(2021-02-03T04:05:06\.789Z\), got "2021-02-03T04:05:06\.789Z"/,
    (memory) => ({
      async getUser(id) {
        const user = await memory.getUser(id)
        return user && { ...user, emailVerified: untyped(user.emailVerified?.toISOString()) }
      },
    }),
  ),
  fault(
    'dates without milliseconds',
    'createUser returns what it stored',
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
    'a column for names that knows ASCII only',
    'createUser stores odd and long texts, and no date',
    /^createUser, with odd and long texts, field name: expected "Zoë .*", got "Zo\?/,
    (memory) => ({
      createUser: async (user) =>
        memory.createUser({ ...user, name: user.name?.replaceAll(/[^ -~]/g, '?') }),
    }),
  ),
  fault(
    'createUser that looks for the address first, and stores then',
    'createUser makes one user of an address, however many ask at once',
    /^createUser with the same e-mail address, 50 times at once: expected exactly one to succeed, got 50/,
    (memory) => {
      const addresses = new Set<string>()
      return {
        async createUser(user) {
          if (addresses.has(user.email)) throw new Error('The address is taken.')
          await query()
          addresses.add(user.email)
          const created = await memory.createUser({ ...user, email: crypto.randomUUID() })
          return { ...created, email: user.email }
        },
      }
    },
  ),
  fault(
    'undefined for a user who is not there',
    'getUser knows nobody by another id',
    /^getUser, with an unknown id: expected null, got undefined/,
    (memory) => ({ getUser: async (id) => untyped((await memory.getUser(id)) ?? undefined) }),
  ),
  fault(
    'a column for addresses that ignores case and accents',
    'getUserByEmail finds a user by the exact address',
    /^getUserByEmail, with "E.*" when there is "e.*": expected null/,
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
    'updateUser that replaces the row',
    'updateUser changes what is given, and leaves the rest',
    /^updateUser, with emailVerified only, returns the whole user, field name: expected "Ada Lovelace", got null/,
    (memory) => ({
      updateUser: async (user) => memory.updateUser({ name: null, image: null, ...user }),
    }),
  ),
  fault(
    'updateUser that returns the changes only',
    'updateUser changes what is given, and leaves the rest',
    /^updateUser, with emailVerified only, returns the whole user, field name/,
    (memory) => ({
      async updateUser(user) {
        await memory.updateUser(user)
        return untyped(user)
      },
    }),
  ),
  fault(
    'updateUser that takes null for "not given"',
    'updateUser clears what is null',
    /^updateUser, with null, field name: expected null, got "Ada Lovelace"/,
    (memory) => ({
      async updateUser(user) {
        const given = Object.entries(user).filter(([, value]) => value !== null)
        return memory.updateUser({ id: user.id, ...Object.fromEntries(given) })
      },
    }),
  ),
  fault(
    'updateUser that returns what it was given when there is no such user',
    'updateUser refuses a user who is not there',
    /^updateUser, of an unknown user: expected an error, got \{ id: /,
    (memory) => ({
      updateUser: async (user) =>
        (await memory.getUser(user.id)) ? memory.updateUser(user) : untyped(user),
    }),
  ),
  fault(
    'deleteUser that only marks the user as deleted',
    'deleteUser deletes one user',
    /^deleteUser, then getUser: expected null, got \{/,
    () => ({ deleteUser: async () => null }),
  ),
  fault(
    'deleteUser that leaves the accounts',
    'deleteUser deletes the accounts of the user',
    /^deleteUser, then linkAccount of the account: expected the account to be gone, got Error: duplicate/,
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
    'deleteUser that leaves the sessions',
    'deleteUser deletes the sessions of the user',
    /^deleteUser, then createSession with the same token: expected the session to be gone/,
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
    'deleteUser that leaves the passkeys',
    'deleteUser deletes the authenticators of the user',
    /^deleteUser, then getAuthenticator: expected null, got \{/,
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
