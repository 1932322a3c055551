import type { AdapterAuthenticator } from '../../../src/adapters/index.ts'
import { fault, folded, query, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const authenticatorFaults: readonly Fault[] = [
  fault(
    'createAuthenticator that loses whether the passkey is backed up',
    'createAuthenticator returns what it stored',
    /^createAuthenticator, field credentialBackedUp: expected false, got true/,
    (memory) => ({
      createAuthenticator: async (passkey) =>
        memory.createAuthenticator({ ...passkey, credentialBackedUp: true }),
    }),
  ),
  fault(
    'createAuthenticator that returns the passkey that is there',
    'createAuthenticator refuses an id that is taken',
    /^createAuthenticator, with an id that is taken: expected an error, got \{/,
    (memory) => ({
      createAuthenticator: async (passkey) =>
        (await memory.getAuthenticator(passkey.credentialID)) ??
        memory.createAuthenticator(passkey),
    }),
  ),
  fault(
    'createAuthenticator that looks for the id first, and stores then',
    'createAuthenticator gives an id to one of many at once',
    /^createAuthenticator with the same id, 50 times at once: expected exactly one to succeed, got 50/,
    (memory) => {
      const passkeys: AdapterAuthenticator[] = []
      const of = (id: string) => passkeys.filter(({ userId }) => userId === id)
      return {
        async createAuthenticator(passkey) {
          if (passkeys.some((each) => each.credentialID === passkey.credentialID))
            throw new Error('duplicate key')
          await query()
          passkeys.push(passkey)
          return passkey
        },
        listAuthenticatorsByUserId: async (id) => of(id),
        getAuthenticator: async (id) => memory.getAuthenticator(id),
      }
    },
  ),
  fault(
    'a column for ids of passkeys that ignores case',
    'getAuthenticator finds a passkey by the exact id',
    /^getAuthenticator, with "C.*" when there is "c.*": expected null/,
    (memory) => ({ getAuthenticator: async (id) => memory.getAuthenticator(folded(id)) }),
  ),
  fault(
    'null for no passkeys',
    'listAuthenticatorsByUserId returns all passkeys of a user',
    /^listAuthenticatorsByUserId, of a user without any: expected an array, got null/,
    (memory) => ({
      async listAuthenticatorsByUserId(id) {
        const listed = await memory.listAuthenticatorsByUserId(id)
        return listed.length > 0 ? listed : untyped(null)
      },
    }),
  ),
  fault(
    'updateAuthenticatorCounter that adds',
    'updateAuthenticatorCounter sets the counter, and leaves the rest',
    /^updateAuthenticatorCounter returns the authenticator, field counter: expected 2147483647, got 2147483648/,
    (memory) => ({
      async updateAuthenticatorCounter(id, counter) {
        const found = await memory.getAuthenticator(id)
        return memory.updateAuthenticatorCounter(id, (found?.counter ?? 0) + counter)
      },
    }),
  ),
  fault(
    'updateAuthenticatorCounter that says nothing about an unknown passkey',
    'updateAuthenticatorCounter refuses a passkey that is not there',
    /^updateAuthenticatorCounter, of an unknown passkey: expected an error, got null/,
    (memory) => ({
      updateAuthenticatorCounter: async (id, counter) =>
        (await memory.getAuthenticator(id))
          ? memory.updateAuthenticatorCounter(id, counter)
          : untyped(null),
    }),
  ),
  fault(
    'updateAuthenticatorCounter that fails when others do the same',
    'updateAuthenticatorCounter leaves one of the counters of many at once',
    /^updateAuthenticatorCounter, many times at once: expected no error, got .*the row has changed/,
    (memory) => ({
      async updateAuthenticatorCounter(id, counter) {
        const before = await memory.getAuthenticator(id)
        await query()
        const now = await memory.getAuthenticator(id)
        if (before?.counter !== now?.counter) throw new Error('the row has changed')
        return memory.updateAuthenticatorCounter(id, counter)
      },
    }),
  ),
]
