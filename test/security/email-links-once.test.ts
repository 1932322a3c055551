/** Single use of magic links while the database fails. */
import { expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { click, confirm, FAILED, locationOf, mailSite, requestLink, SPENT } from '../email.ts'
import { SESSION } from '../sessions.ts'

/** A site whose next lookup of a link fails, before or after the row was deleted. */
function failing(when: 'before' | 'afterwards') {
  const adapter = MemoryAdapter()
  const state = { fails: false }
  const useVerificationToken: typeof adapter.useVerificationToken = async (key) => {
    const fails = state.fails
    state.fails = false
    if (fails && when === 'before') throw new Error('The database is down.')
    const row = await adapter.useVerificationToken(key)
    if (fails) throw new Error('The connection was lost.')
    return row
  }
  const methods = { useVerificationToken, deleteVerificationTokens: undefined }
  return { ...mailSite({}, { adapter, methods }), state }
}

/** Replays a link with copied cookies, and returns whether a session was created. */
async function replay(link: string, cookies: string, config: AuthConfig): Promise<boolean> {
  const headers = { cookie: cookies, accept: 'text/html' }
  const response = await Auth(new Request(link, { headers }), config)
  return response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION}=`) && !cookie.includes('Max-Age=0'))
}

function cookiesOf(tab: Browser, link: string): string {
  return tab.cookies.header({ url: new URL(link), method: 'GET', initiator: 'same-site' }) ?? ''
}

test('a link whose lookup failed can be redeemed once afterwards', async () => {
  const site = failing('before')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  site.state.fails = true
  expect(locationOf(await click(tab, link))).toBe(FAILED)
  expect(locationOf(await click(tab, link))).toBe('https://app.test')
  const other = browser(site.config)
  expect(locationOf(await confirm(other, await click(other, link)))).toBe(SPENT)
  expect(await other.session()).toBeNull()
})

test('a link whose response was lost can be redeemed once, even with replayed cookies', async () => {
  const site = failing('afterwards')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  site.state.fails = true
  expect(locationOf(await click(tab, link))).toBe(FAILED)
  const cookies = cookiesOf(tab, link)
  expect(await replay(link, cookies, site.config)).toBe(true)
  expect(await replay(link, cookies, site.config)).toBe(false)
  expect(await replay(link, cookies, site.config)).toBe(false)
})

test('a redeemed link stays invalid when the database fails', async () => {
  const site = failing('before')
  const tab = browser(site.config)
  const link = await requestLink(tab, site)
  const cookies = cookiesOf(tab, link)
  expect(locationOf(await click(tab, link))).toBe('https://app.test')
  site.state.fails = true
  expect(await replay(link, cookies, site.config)).toBe(false)
  expect(await replay(link, cookies, site.config)).toBe(false)
})
