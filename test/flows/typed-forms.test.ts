import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'

/** Value of an input of a page; `undefined` if it has none. */
function valueOf(html: string, name: string): string | undefined {
  const [input = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html) ?? []
  return /value="([^"]*)"/.exec(input)?.[1]
}

const WRONG = { username: 'ada "the first"', password: 'wrong', code: '123456' }
const credentials = {
  username: { label: 'User name' },
  password: { type: 'password' },
  code: { autoComplete: 'one-time-code' },
}

describe('the sign-in page after wrong credentials', () => {
  test('contains what the user typed, but no password and no code', async () => {
    const { config } = passwordConfig({}, { credentials })
    const tab = browser(config)
    const page = await tab.follow(await enter(tab, WRONG))
    const html = await page.text()
    expect(html).toContain('aria-invalid="true"')
    expect(valueOf(html, 'username')).toBe('ada &quot;the first&quot;')
    expect(valueOf(html, 'password')).toBeUndefined()
    expect(valueOf(html, 'code')).toBeUndefined()
    const again = await (await tab.request('signin?error=CredentialsSignin')).text()
    expect(valueOf(again, 'username')).toBeUndefined()
  })

  test('does not contain what another browser typed, nor text of the query', async () => {
    const { config } = passwordConfig({}, { credentials })
    await enter(browser(config), WRONG)
    const page = await browser(config).request('signin?error=CredentialsSignin&username=ada')
    expect(valueOf(await page.text(), 'username')).toBeUndefined()
  })

  test('reads no cookie that the site has not sealed', async () => {
    const { config } = passwordConfig({}, { credentials })
    const tab = browser(config)
    await enter(tab, WRONG)
    const cookie = tab.cookies.all().find(({ name }) => name.endsWith('lib.form'))
    expect(cookie?.value).not.toContain('ada')
    const other = browser({
      ...config,
      secret: 'another secret of at least 32 bytes, for this test',
    })
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
    const page = await other.request('signin?error=CredentialsSignin', { headers })
    expect(valueOf(await page.text(), 'username')).toBeUndefined()
  })
})

describe('a sign-out', () => {
  test('is named by the sign-in page that the protected page redirects to, once', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    await tab.post('signout', { callbackUrl: '/board' })
    const elsewhere = await (await browser(config).request('signin?callbackUrl=/board')).text()
    const first = await (await tab.request('signin?callbackUrl=/board')).text()
    const second = await (await tab.request('signin?callbackUrl=/board')).text()
    const isNamed = (html: string) => html.includes('You have signed out.')
    expect([elsewhere, first, second].map(isNamed)).toEqual([false, true, false])
  })

  test('is confirmed on a page that names the user and leads back', async () => {
    const { config } = passwordConfig()
    const tab = browser(config)
    await enter(tab)
    const html = await (await tab.request('signout?callbackUrl=/board')).text()
    expect(html).toMatch(/You are signed in as <strong>[^<]+<\/strong>/)
    expect(html).toContain('href="https://app.test/board"')
    const anonymous = await (await browser(config).request('signout')).text()
    expect(anonymous).not.toContain('You are signed in as')
  })
})
