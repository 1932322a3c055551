/** Concurrent users: each receives only their own session. */
import { afterEach, describe, expect, test } from 'vitest'
import { issuer } from '../../src/testing/index.ts'
import { ADAPTERS, databaseSite } from '../database.ts'
import { SESSION, cookieValue } from '../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

afterEach(() => op.reset())

describe.each(['with transactions', 'without transactions'])('with an adapter %s', (name) => {
  test('200 concurrent users each get their own session', async () => {
    const site = databaseSite(op, { adapter: ADAPTERS[name]?.() ?? {} })
    const names = Array.from({ length: 200 }, (_, index) => `user-${index}`)
    const seen = await Promise.all(
      names.map(async (sub) => {
        const tab = site.open()
        await tab.signIn('op', { sub, name: sub, email: `${sub}@example.com` })
        return (await tab.session())?.user?.name
      }),
    )
    expect(seen).toEqual(names)
    expect(site.log.errors).toEqual([])
    expect(site.calls.filter(({ method }) => method === 'createUser')).toHaveLength(200)
  })
})

test('a callback that is reloaded or sent twice signs in once', async () => {
  const { tab, calls, log } = databaseSite(op)
  const transaction = await tab.begin('op')
  const answer = await op.authorize(transaction.url)
  await transaction.comeBack(answer)
  const token = cookieValue(tab)
  const again = await transaction.comeBack(answer)
  expect(again.headers.get('location')).toBe(tab.origin)
  expect(cookieValue(tab)).toBe(token)
  expect(calls.filter(({ method }) => method === 'createSession')).toHaveLength(1)
  expect(log.errors).toEqual([])
})

test('a sign-out during a session read is final', async () => {
  const { tab, faults, stored } = databaseSite(op, {
    config: { session: { updateAge: 0 } },
  })
  await tab.signIn('op')
  const token = cookieValue(tab)
  let signOut: Promise<Response> | undefined
  faults.updateSession = async (run) => {
    signOut = tab.post('signout')
    await signOut
    return run()
  }
  await tab.request('session')
  expect((await signOut)?.status).toBe(302)
  expect(await stored.getSessionAndUser?.(token)).toBeNull()
  delete faults.updateSession
  tab.cookies.set(SESSION, token)
  expect(await tab.session()).toBeNull()
})
