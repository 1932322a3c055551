/** The signOut event of database sessions. */
import { afterEach, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { issuer } from '../../../src/testing/index.ts'
import { ADA, down } from '../../database.ts'
import { SESSION, cookieValue } from '../../sessions.ts'
import { messageOf, namesOf, recordingSite } from '../../recording.ts'

const op = await issuer({ algorithm: 'ES256' })

afterEach(() => op.reset())

test('session strategy jwt stores no session in the database', async () => {
  const { tab, called, hookCalls } = recordingSite(op, 'jwt')
  await tab.signIn('op')
  await tab.session()
  await tab.post('signout')
  expect(called().filter((method) => method.includes('Session'))).toEqual([])
  expect(messageOf(hookCalls, 'signOut')).toMatchObject({ token: { name: ADA.name } })
})

describe('signing out of a database session', () => {
  test('passes the deleted session to events.signOut', async () => {
    const { tab, hookCalls, stored } = recordingSite(op, 'database')
    await tab.signIn('op')
    const row = await stored.getSessionAndUser?.(cookieValue(tab))
    await tab.post('signout')
    expect(messageOf(hookCalls, 'signOut')).toEqual({ session: row?.session })
  })

  test('passes null to events.signOut if the adapter returns no session', async () => {
    const { deleteSession, ...memory } = MemoryAdapter()
    const adapter = {
      ...memory,
      deleteSession: async (token: string) => void (await deleteSession(token)),
    }
    const { tab, hookCalls } = recordingSite(op, 'database', { adapter })
    await tab.signIn('op')
    await tab.post('signout')
    expect(messageOf(hookCalls, 'signOut')).toEqual({ session: null })
  })

  test('emits no event if it fails', async () => {
    const { tab, hookCalls, faults } = recordingSite(op, 'database')
    await tab.signIn('op')
    faults.deleteSession = down
    await tab.post('signout')
    expect(namesOf(hookCalls)).not.toContain('signOut')
  })

  test('emits no event without a session', async () => {
    const { tab, hookCalls } = recordingSite(op, 'database')
    await tab.post('signout')
    expect(hookCalls).toEqual([])
    expect(tab.cookies.get(SESSION)).toBeUndefined()
  })
})
