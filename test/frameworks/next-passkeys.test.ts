/** `passkeys` of `Lib` in the contexts of the App Router. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import Credentials from '../../src/providers/credentials.ts'
import Passkey from '../../src/providers/passkey.ts'
import { addPasskey, userIdOf } from '../passkeys.ts'
import { DAY } from '../sessions.ts'
import { nextSite, SESSION } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'

const grace = { name: 'Grace Hopper', email: 'grace@navy.test' }

/** A site on which Grace is signed in and has two passkeys. */
async function siteWithPasskeys() {
  const adapter = MemoryAdapter()
  const credentials = Credentials({ createUser: true, authorize: () => ({ ...grace }) })
  const experimental = { enableWebAuthn: true }
  const site = nextSite({ adapter, providers: [credentials, Passkey()], experimental })
  await site.signInGrace()
  const userId = await userIdOf(adapter, grace.email)
  const [first, second] = [await addPasskey(adapter, userId), await addPasskey(adapter, userId)]
  return { site, first, second }
}

const namesIn = async (site: NextSite) =>
  (await site.passkeys.list())?.map(({ credentialID, name }) => [credentialID, name])

describe('passkeys', () => {
  test('lists, renames and removes the passkeys of the session', async () => {
    const { site, first, second } = await siteWithPasskeys()
    const { list, rename, remove } = site.passkeys
    expect(await site.render(list)).toHaveLength(2)
    const renamed = await site.action(() => rename(first, 'Phone'))
    expect(renamed).toMatchObject({ credentialID: first, name: 'Phone' })
    expect(await site.action(() => remove(second))).toMatchObject({ credentialID: second })
    expect(await site.render(() => namesIn(site))).toEqual([[first, 'Phone']])
  })

  test('shows a change to the page that is rendered in response to the same request', async () => {
    const { site, first, second } = await siteWithPasskeys()
    const page = await site.actionAndPage(
      () => site.passkeys.remove(first),
      () => namesIn(site),
    )
    expect(page).toEqual([[second, null]])
  })

  test('keeps the last passkey, unless its removal is allowed', async () => {
    const { site, first, second } = await siteWithPasskeys()
    await site.action(() => site.passkeys.remove(first))
    const removal = site.action(() => site.passkeys.remove(second))
    await expect(removal).rejects.toMatchObject({ type: 'LastSignInMethod' })
    const allowed = site.action(() => site.passkeys.remove(second, { last: 'allow' }))
    expect(await allowed).toMatchObject({ credentialID: second })
  })

  test('returns null while a page is prerendered', async () => {
    const { site } = await siteWithPasskeys()
    expect(await site.render(site.passkeys.list, { dynamic: 'force-static' })).toBeNull()
  })

  test('works in a route handler', async () => {
    const { site } = await siteWithPasskeys()
    const handler = async () => Response.json(await site.passkeys.list())
    expect(await (await site.route(handler, '/api/passkeys')).json()).toHaveLength(2)
  })

  test('rejects a change by a page of another origin', async () => {
    const { site, first } = await siteWithPasskeys()
    const headers = { 'sec-fetch-site': 'same-site' }
    const removal = site.action(() => site.passkeys.remove(first), { headers })
    await expect(removal).rejects.toMatchObject({ type: 'MissingCSRF' })
    expect(await site.render(site.passkeys.list)).toHaveLength(2)
  })

  test('returns null to a visitor who is signed out', async () => {
    const { site, first } = await siteWithPasskeys()
    site.cookies.delete(SESSION)
    expect(await site.render(site.passkeys.list)).toBeNull()
    expect(await site.action(() => site.passkeys.rename(first, 'Phone'))).toBeNull()
    expect(await site.action(() => site.passkeys.remove(first))).toBeNull()
  })

  test('does not extend the session while a page is rendered', async () => {
    const { site } = await siteWithPasskeys()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 2 * DAY * 1000)
    expect(await site.render(site.passkeys.list)).toHaveLength(2)
    expect(site.set).toEqual([])
  })

  test('extends the session in an action', async () => {
    const { site, first } = await siteWithPasskeys()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 2 * DAY * 1000)
    await site.action(() => site.passkeys.rename(first, 'Phone'))
    expect(site.set).toEqual([expect.stringContaining(SESSION)])
  })

  test('explains where it can be called', async () => {
    const { site } = await siteWithPasskeys()
    await expect(site.passkeys.list()).rejects.toThrow(
      'A function of passkeys was called outside a server component, a server action or a route handler.',
    )
  })
})
