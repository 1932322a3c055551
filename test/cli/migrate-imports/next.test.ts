/** Migrated sessions in an application on Next.js. */
import { describe, expect, test } from 'vitest'
import { Lib, nextSite, SESSION, openSite } from '../../frameworks/next/next-site.ts'
import { siteConfig } from '../../frameworks/site.ts'
import { OLD_SECURE, oldCookie } from './next-auth-site.ts'

/** A site with a `next-auth` session of Grace. */
async function migratedSite() {
  const { config } = siteConfig()
  const site = openSite(Lib({ ...config, basePath: undefined, migrateSessions: true }))
  const [name = '', value = ''] = (
    await oldCookie({ sub: '7', name: 'Grace Hopper' }, { secret: String(config.secret) })
  ).split('=')
  site.cookies.set(name, value)
  const sessionCookies = () =>
    site.cookies.all().flatMap(({ name: each }) => (each.includes('session') ? [each] : []))
  return { ...site, sessionCookies }
}

describe('a user with a next-auth session', () => {
  test('is signed in on a page, which cannot set cookies', async () => {
    const site = await migratedSite()
    for (let times = 0; times < 3; times += 1)
      expect(await site.render(() => site.auth())).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(site.sessionCookies()).toEqual([OLD_SECURE])
    expect(site.set).toEqual([])
  })

  test('gets a new session cookie in the first action that reads the session', async () => {
    const site = await migratedSite()
    expect(await site.action(() => site.auth())).toMatchObject({ user: { name: 'Grace Hopper' } })
    expect(site.sessionCookies()).toEqual([SESSION])
  })

  test('gets a new session cookie in the proxy, and the page reads it in the same request', async () => {
    const site = await migratedSite()
    const { page } = await site.proxy(site.auth, '/')
    expect(site.sessionCookies()).toEqual([SESSION])
    expect(page?.get('cookie')).toContain(`${SESSION}=`)
    expect(page?.get('cookie')).not.toContain('authjs')
  })

  test('can sign out', async () => {
    const site = await migratedSite()
    await site.action(() => site.signOut({ redirect: false }))
    expect(site.sessionCookies()).toEqual([])
    expect(await site.render(() => site.auth())).toBeNull()
  })
})

test('a next-auth cookie is ignored without migrateSessions', async () => {
  const site = nextSite()
  const { secret } = siteConfig().config
  const old = await oldCookie({ sub: '7', name: 'Grace' }, { secret: String(secret) })
  site.cookies.set(OLD_SECURE, old.slice(OLD_SECURE.length + 1))
  expect(await site.render(() => site.auth())).toBeNull()
})
