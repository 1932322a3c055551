import type { Adapter, AdapterUser } from '../../adapters/index.ts'
import { adapterCase, Mismatch } from './case.ts'
import type { AdapterCase } from './case.ts'
import { expectNull, expectRow, expectValue, fail, succeeded, together } from './expect.ts'
import { newAccount, newSession, newToken, newUser } from './rows.ts'

const MISSING = 'transaction: the adapter it gives lacks a method that the adapter has.'

async function signUp(adapter: Adapter, user: AdapterUser): Promise<AdapterUser> {
  if (!adapter.createUser || !adapter.linkAccount) throw new Mismatch(MISSING)
  const created = await adapter.createUser(user)
  await adapter.linkAccount(newAccount(created.id, { providerAccountId: user.id }))
  return created
}

const keyOf = (user: AdapterUser) => ({ provider: 'example', providerAccountId: user.id })

/** Fails a transaction after its work. It must reject with the same error. */
async function failAtTheEnd(
  adapter: Required<Pick<Adapter, 'transaction'>>,
  work: (adapter: Adapter) => Promise<void>,
): Promise<void> {
  const reason = new Error('the work fails at its end')
  try {
    await adapter.transaction(async (inner) => {
      await work(inner)
      throw reason
    })
  } catch (error) {
    if (error instanceof Mismatch) throw error
    if (error !== reason) fail('transaction, when the work throws', 'the same error', error)
    return
  }
  fail('transaction, when the work throws', 'the same error', undefined)
}

export const transactionCases: readonly AdapterCase[] = [
  adapterCase('transaction returns what the work returns', ['transaction'], async (adapter) => {
    const answer = {}
    const returned = await adapter.transaction(async () => answer)
    expectValue('transaction returns what the work returns: the same object', returned, answer)
  }),
  adapterCase(
    'transaction stores everything when the work is done',
    ['transaction', 'createUser', 'getUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const user = newUser()
      const created = await adapter.transaction(async (inner) => signUp(inner, user))
      expectRow('transaction, then getUser', await adapter.getUser(created.id), created)
      const found = await adapter.getUserByAccount(keyOf(user))
      expectValue('transaction, then getUserByAccount', found?.id, created.id)
    },
  ),
  adapterCase(
    'transaction lets the work see what it did',
    ['transaction', 'createUser', 'getUserByEmail'],
    async (adapter) => {
      const user = newUser()
      const seen = await adapter.transaction(async (inner) => {
        if (!inner.createUser || !inner.getUserByEmail) throw new Mismatch(MISSING)
        await inner.createUser(user)
        return inner.getUserByEmail(user.email)
      })
      expectRow('transaction, createUser and then getUserByEmail', seen, { email: user.email })
    },
  ),
  adapterCase(
    'transaction takes back what was added when the work throws',
    ['transaction', 'createUser', 'getUserByEmail', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const user = newUser()
      await failAtTheEnd(adapter, async (inner) => void (await signUp(inner, user)))
      const left = await adapter.getUserByEmail(user.email)
      expectNull('transaction that fails, then getUserByEmail of a user it created', left)
      const owner = await adapter.getUserByAccount(keyOf(user))
      expectNull('transaction that fails, then getUserByAccount of what it linked', owner)
      // The same sign-up succeeds afterwards.
      const created = await adapter.transaction(async (inner) => signUp(inner, user))
      const found = await adapter.getUserByAccount(keyOf(user))
      expectValue('transaction that fails, then the same again', found?.id, created.id)
    },
  ),
  adapterCase(
    'transaction takes back what was changed when the work throws',
    ['transaction', 'createUser', 'updateUser', 'getUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      await failAtTheEnd(adapter, async (inner) => {
        if (!inner.updateUser) throw new Mismatch(MISSING)
        await inner.updateUser({ id: user.id, name: 'Somebody else', emailVerified: null })
      })
      const found = await adapter.getUser(user.id)
      expectRow('transaction that fails, after updateUser', found, user)
    },
  ),
  adapterCase(
    'transaction takes back what was deleted when the work throws',
    ['transaction', 'createUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const session = newSession(user.id)
      await adapter.createSession(session)
      await failAtTheEnd(adapter, async (inner) => {
        if (!inner.deleteSession) throw new Mismatch(MISSING)
        await inner.deleteSession(session.sessionToken)
      })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectRow('transaction that fails, after deleteSession', found?.session, session)
    },
  ),
  adapterCase(
    'transaction gives back a token that was used when the work throws',
    ['transaction', 'createVerificationToken', 'useVerificationToken'],
    async (adapter) => {
      const token = newToken()
      const key = { identifier: token.identifier, token: token.token }
      await adapter.createVerificationToken(token)
      await failAtTheEnd(adapter, async (inner) => {
        if (!inner.useVerificationToken) throw new Mismatch(MISSING)
        const used = await inner.useVerificationToken(key)
        expectRow('transaction, useVerificationToken', used, token)
      })
      const used = await adapter.useVerificationToken(key)
      expectRow('transaction that fails, after useVerificationToken', used, token)
    },
  ),
  adapterCase(
    'transaction keeps what others do at the same time',
    ['transaction', 'createUser', 'linkAccount', 'getUserByAccount'],
    async (adapter) => {
      const users = Array.from({ length: 10 }, () => newUser())
      const outcomes = await together(
        users.map((user) => () => adapter.transaction(async (inner) => signUp(inner, user))),
      )
      if (succeeded(outcomes).length === 0)
        fail('transaction, ten at the same time', 'one of them at least to succeed', outcomes)
      for (const [at, user] of users.entries()) {
        const outcome = outcomes[at]
        const expected = outcome?.status === 'fulfilled' ? outcome.value.id : undefined
        const found = await adapter.getUserByAccount(keyOf(user))
        expectValue('transaction at the same time as others', found?.id, expected)
      }
    },
  ),
]
