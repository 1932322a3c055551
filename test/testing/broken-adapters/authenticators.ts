import type { AdapterAuthenticator } from '../../../src/adapters/index.ts'
import { fault, folded, delay, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const authenticatorFaults: readonly Fault[] = [
  fault(
    'createAuthenticator ignoring credentialBackedUp',
    'createAuthenticator stores a passkey and returns the stored row',
    /^createAuthenticator\(\{ .* \}\) after createAuthenticator, field credentialBackedUp: expected false, got true/,
    (memory) => ({
      createAuthenticator: async (passkey) =>
        memory.createAuthenticator({ ...passkey, credentialBackedUp: true }),
    }),
  ),
  fault(
    'createAuthenticator returning an existing passkey',
    'createAuthenticator throws for an id that already exists',
    /^createAuthenticator\(\{ .* \}\) after createAuthenticator: expected an error, got \{/,
    (memory) => ({
      createAuthenticator: async (passkey) =>
        (await memory.getAuthenticator(passkey.credentialID)) ??
        memory.createAuthenticator(passkey),
    }),
  ),
  fault(
    'createAuthenticator with a race condition between lookup and insert',
    'createAuthenticator stores an id in one of fifty concurrent calls',
    /^createAuthenticator, 50 concurrent calls: expected exactly one to succeed, got 50/,
    (memory) => {
      const passkeys: AdapterAuthenticator[] = []
      const of = (id: string) => passkeys.filter(({ userId }) => userId === id)
      return {
        async createAuthenticator(passkey) {
          if (passkeys.some((each) => each.credentialID === passkey.credentialID))
            throw new Error('duplicate key')
          await delay()
          passkeys.push(passkey)
          return passkey
        },
        listAuthenticatorsByUserId: async (id) => of(id),
        getAuthenticator: async (id) => memory.getAuthenticator(id),
      }
    },
  ),
  fault(
    'a credentialID column that ignores case',
    'getAuthenticator matches the exact id only',
    /^getAuthenticator\("C.*"\) after createAuthenticator: expected null, got \{/,
    (memory) => ({ getAuthenticator: async (id) => memory.getAuthenticator(folded(id)) }),
  ),
  fault(
    'listAuthenticatorsByUserId returning null',
    'listAuthenticatorsByUserId returns all passkeys of a user',
    /^listAuthenticatorsByUserId\(".*"\) after createUser: expected \[\], got null/,
    (memory) => ({
      async listAuthenticatorsByUserId(id) {
        const listed = await memory.listAuthenticatorsByUserId(id)
        return listed.length > 0 ? listed : untyped(null)
      },
    }),
  ),
  fault(
    'updateAuthenticatorCounter adding to the counter',
    'updateAuthenticatorCounter sets the counter of one passkey',
    /^updateAuthenticatorCounter\(.*, 2147483647\) after .*, field counter: expected 2147483647, got 2147483648/,
    (memory) => ({
      async updateAuthenticatorCounter(id, counter) {
        const found = await memory.getAuthenticator(id)
        return memory.updateAuthenticatorCounter(id, (found?.counter ?? 0) + counter)
      },
    }),
  ),
  fault(
    'updateAuthenticatorCounter ignoring an unknown passkey',
    'updateAuthenticatorCounter throws for an unknown passkey',
    /^updateAuthenticatorCounter\(".*", 1\): expected an error, got null/,
    (memory) => ({
      updateAuthenticatorCounter: async (id, counter) =>
        (await memory.getAuthenticator(id))
          ? memory.updateAuthenticatorCounter(id, counter)
          : untyped(null),
    }),
  ),
  fault(
    'updateAuthenticatorCounter failing in concurrent calls',
    'updateAuthenticatorCounter stores one counter of fifty concurrent calls',
    /^updateAuthenticatorCounter, 50 concurrent calls: expected all to succeed, got .*the row has changed/,
    (memory) => ({
      async updateAuthenticatorCounter(id, counter) {
        const before = await memory.getAuthenticator(id)
        await delay()
        const now = await memory.getAuthenticator(id)
        if (before?.counter !== now?.counter) throw new Error('the row has changed')
        return memory.updateAuthenticatorCounter(id, counter)
      },
    }),
  ),
  fault(
    'updateAuthenticator ignoring an unknown passkey',
    'updateAuthenticator throws for an unknown passkey',
    /^updateAuthenticator\(".*", \{ counter: 1 \}\): expected an error, got null/,
    (memory) => ({
      updateAuthenticator: async (id, changes) =>
        (await memory.getAuthenticator(id))
          ? memory.updateAuthenticator(id, changes)
          : untyped(null),
    }),
  ),
  fault(
    'updateAuthenticator resetting the fields that are not given',
    'updateAuthenticator changes the given fields of one passkey',
    /^updateAuthenticator\(.*, \{ counter: 8 \}\) after .*, field credentialBackedUp: expected false, got true/,
    (memory) => ({
      updateAuthenticator: async (id, changes) =>
        memory.updateAuthenticator(id, { credentialBackedUp: true, ...changes }),
    }),
  ),
  fault(
    'updateAuthenticator returning a name that it does not store',
    'updateAuthenticator stores name and lastUsed',
    /^getAuthenticator\(".*"\) after updateAuthenticator, field name: expected "Zoë .*", got undefined/,
    (memory) => ({
      async updateAuthenticator(id, { name, ...changes }) {
        const updated = await memory.updateAuthenticator(id, changes)
        return name === undefined ? updated : { ...updated, name }
      },
    }),
  ),
  fault(
    'deleteAuthenticator deleting all passkeys of the user',
    'deleteAuthenticator deletes one passkey',
    /^getAuthenticator\(".*"\) after deleteAuthenticator: expected \{.*\}, got null/,
    (memory) => ({
      async deleteAuthenticator(id) {
        const found = await memory.getAuthenticator(id)
        for (const each of found ? await memory.listAuthenticatorsByUserId(found.userId) : [])
          await memory.deleteAuthenticator(each.credentialID)
      },
    }),
  ),
  fault(
    'deleteAuthenticator comparing without case',
    'deleteAuthenticator matches the exact id only',
    /^getAuthenticator\(".*"\) after deleteAuthenticator: expected \{.*\}, got null/,
    (memory) => ({ deleteAuthenticator: async (id) => memory.deleteAuthenticator(folded(id)) }),
  ),
]
