/** What is told when somebody signs out of a session in the database. */
import { afterEach, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { issuer } from '../../src/testing/index.ts'
import { ADA, down } from '../database.ts'
import { SESSION, valueOf } from '../sessions.ts'
import { messageOf, namesOf, tellingSite } from '../telling.ts'

const op = await issuer({ algorithm: 'ES256' })

afterEach(() => op.reset())

test('with session strategy jwt no session is in the database', async () => {
  const { tab, called, told } = tellingSite(op, 'jwt')
  await tab.signIn('op')
  await tab.session()
  await tab.post('signout')
  expect(called().filter((method) => method.includes('Session'))).toEqual([])
  expect(messageOf(told, 'signOut')).toMatchObject({ token: { name: ADA.name } })
})

describe('signing out of a session in the database', () => {
  // Covers: lib.sign-out-database, life.sign-out-database, event.sign-out
  test('tells which session ended', async () => {
    const { tab, told, stored } = tellingSite(op, 'database')
    await tab.signIn('op')
    const row = await stored.getSessionAndUser?.(valueOf(tab))
    await tab.post('signout')
    expect(messageOf(told, 'signOut')).toEqual({ session: row?.session })
  })

  test('of which the adapter says nothing tells that, too', async () => {
    const { deleteSession, ...memory } = MemoryAdapter()
    const adapter = {
      ...memory,
      deleteSession: async (token: string) => void (await deleteSession(token)),
    }
    const { tab, told } = tellingSite(op, 'database', { adapter })
    await tab.signIn('op')
    await tab.post('signout')
    expect(messageOf(told, 'signOut')).toEqual({ session: null })
  })

  test('that fails tells nothing', async () => {
    const { tab, told, faults } = tellingSite(op, 'database')
    await tab.signIn('op')
    faults.deleteSession = down
    await tab.post('signout')
    expect(namesOf(told)).not.toContain('signOut')
  })

  test('by somebody who is not signed in tells nothing', async () => {
    const { tab, told } = tellingSite(op, 'database')
    await tab.post('signout')
    expect(told).toEqual([])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })
})
