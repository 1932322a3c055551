/** Passwords of users over any adapter (acceptance E6 and E7). */
import { expect, test } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import { enter, locationOf, mailedSite, RIGHT } from '../core/password/password-site.ts'

const NEW = 'a pound of purple plums'

export function testPasswordFlows(adapter: () => Adapter): void {
  test('signs up, resets and changes a password; each link works once', async () => {
    const site = mailedSite('database', { adapter: adapter() })
    const email = `${crypto.randomUUID()}@example.com`
    const [tab, other] = [site.open(), site.open()]
    const link = () => site.mails.at(-1)?.url ?? ''
    const token = () => new URL(link()).searchParams.get('token') ?? ''
    await tab.post('password/sign-up', { email, password: RIGHT })
    const signUp = link()
    const opened = await Promise.all([1, 2, 3].map(() => tab.request(signUp)))
    expect(opened.filter(({ status }) => status === 302)).toHaveLength(1)
    expect((await tab.session())?.user?.email).toBe(email)
    await enter(other, RIGHT, email)
    expect(await other.session()).not.toBeNull()
    const { id = '' } = (await site.stored.getUserByEmail?.(email)) ?? {}
    const first = await site.stored.getPassword?.(id)
    await other.post('password/change', { current: RIGHT, password: NEW })
    expect(await tab.session()).toBeNull()
    await tab.post('password/forgot', { email })
    const stale = token()
    await other.post('password/change', { current: NEW, password: `${NEW} again` })
    expect((await tab.post('password/reset', { token: stale, password: NEW })).status).toBe(403)
    await tab.post('password/forgot', { email })
    const resets = await Promise.all(
      [1, 2, 3].map((each) =>
        site.open().post('password/reset', { token: token(), password: `${NEW} ${each}` }),
      ),
    )
    const done = resets.map((each) => locationOf(each)?.endsWith('/password/done') ?? false)
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await other.session()).toBeNull()
    await enter(tab, `${NEW} ${done.indexOf(true) + 1}`, email)
    expect(await tab.session()).not.toBeNull()
    const last = await site.stored.getPassword?.(id)
    expect(last?.changed.getTime()).toBeGreaterThan(first?.changed.getTime() ?? Infinity)
  })

  test('an unverified user whose owner resets the password loses the access of others', async () => {
    const site = mailedSite('database', { adapter: adapter() })
    const email = `${crypto.randomUUID()}@example.com`
    const id = await site.createUser(email, { emailVerified: null })
    const [attacker, owner] = [site.open(), site.open()]
    await enter(attacker, RIGHT, email)
    expect(await attacker.session()).not.toBeNull()
    await owner.post('password/forgot', { email })
    const token = new URL(site.mails.at(-1)?.url ?? '').searchParams.get('token') ?? ''
    await owner.post('password/reset', { token, password: NEW })
    expect(await attacker.session()).toBeNull()
    expect((await site.stored.getUser?.(id))?.emailVerified).toBeInstanceOf(Date)
    await enter(owner, NEW, email)
    expect(await owner.session()).not.toBeNull()
  })
}
