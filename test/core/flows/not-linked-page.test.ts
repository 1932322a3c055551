// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { german } from '../../../examples/messages/german.ts'
import { issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { databaseSite } from '../../database.ts'
import type { DatabaseSite } from '../../database.ts'

const op = await issuer({ algorithm: 'ES256' })
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@example.com' }

async function documentOf(response: Response): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

function alertOf(document: Document): string | undefined {
  return document.querySelector('[role=alert]')?.textContent.replace(/\s+/g, ' ').trim()
}

const FIRST_METHOD = 'To confirm your identity, sign in with the method that you used first.'

describe.each(['database', 'jwt'] as const)('with session strategy %s', (strategy) => {
  const siteOf = (theme = {}) => databaseSite(op, { config: { session: { strategy }, theme } })

  /** Ada is signed in, and chooses the account of Bob. */
  async function chooseOther(site: DatabaseSite): Promise<Response> {
    await site.open().signIn('other', BOB)
    await site.tab.signIn('op')
    return site.tab.signIn('other', BOB)
  }

  async function pageOf(tab: Browser, refused: Response): Promise<Document> {
    return documentOf(await tab.follow(refused))
  }

  test('the page says that the account belongs to another user, and how to go on', async () => {
    const site = siteOf()
    const refused = await chooseOther(site)
    const document = await pageOf(site.tab, refused)
    expect(alertOf(document)).toBe(
      'You are signed in as ada@example.com. The account that you chose belongs to another user. To sign in with it, sign out first.',
    )
    const [signOut, stay] = [...document.querySelectorAll<HTMLAnchorElement>('.actions a')]
    expect([signOut?.textContent, stay?.textContent]).toEqual(['Sign out', 'Stay signed in'])
    expect(stay?.href).toBe('https://app.test/')

    const confirm = await documentOf(await site.tab.request(signOut?.href ?? ''))
    const form = confirm.querySelector('form')
    const fields = [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }) => [
      name,
      value,
    ])
    const signedOut = await site.tab.request(form?.getAttribute('action') ?? '', {
      method: 'POST',
      form: Object.fromEntries(fields) as Record<string, string>,
    })
    expect(signedOut.headers.get('location')).toMatch(/\/auth\/signin\?callbackUrl=/)
    expect(await site.tab.session()).toBeNull()
    await site.tab.signIn('other', BOB)
    expect((await site.tab.session())?.user?.name).toBe('Bob')
  })

  test('is translated to German, also if the table of texts lacks the special text', async () => {
    const site = siteOf({ messages: german })
    expect(alertOf(await pageOf(site.tab, await chooseOther(site)))).toBe(
      'Sie sind als ada@example.com angemeldet. Das gewählte Konto gehört einem anderen Benutzer. Um sich damit anzumelden, melden Sie sich zuerst ab.',
    )
    const { accountOfAnotherUser, ...older } = german
    const other = siteOf({ messages: older })
    const text = alertOf(await pageOf(other.tab, await chooseOther(other)))
    expect(text).not.toContain('account')
    expect(text).not.toContain(accountOfAnotherUser)
  })

  test('signed out, it names the method of the first sign-in', async () => {
    const site = siteOf()
    await site.tab.signIn('op')
    const elsewhere = site.open()
    const document = await pageOf(elsewhere, await elsewhere.signIn('other'))
    expect(alertOf(document)).toBe(FIRST_METHOD)
    expect(document.querySelector('.actions')).toBeNull()
    // The text follows the session, not the link.
    const forged = await elsewhere.request('signin?error=OAuthAccountNotLinked&code=other_user')
    expect(alertOf(await documentOf(forged))).toBe(FIRST_METHOD)
  })
})

test('a session that cannot link is told to sign in again', async () => {
  const site = databaseSite(op, { config: { session: { strategy: 'jwt' } } })
  await site.tab.signIn('op')
  const user = await site.stored.getUserByEmail?.('ada@example.com')
  // The address is verified after the session has begun.
  await site.stored.updateUser?.({ id: user?.id ?? '', emailVerified: new Date() })
  const refused = await site.tab.signIn('other', BOB)
  expect(refused.headers.get('location')).toBe(
    'https://app.test/auth/signin?error=OAuthAccountNotLinked&code=session_cannot_link',
  )
  expect(alertOf(await documentOf(await site.tab.follow(refused)))).toBe(
    'You are signed in as ada@example.com. The account was not linked. Sign out, sign in again, and then link it.',
  )
})
