// @vitest-environment jsdom
/** What the built-in pages say to a visitor who is signed in already, or not any more. */
import { describe, expect, test, vi } from 'vitest'
import { french } from '../../../examples/messages/french.ts'
import { german } from '../../../examples/messages/german.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'
import { databaseSite, down } from '../../database.ts'

const op = await issuer({ algorithm: 'ES256' })

async function open(tab: Browser, path: string): Promise<Document> {
  const response = await tab.request(path)
  expect(response.status).toBe(200)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

const textOf = (element: Element | null) => element?.textContent.replace(/\s+/g, ' ').trim()
const linksOf = (element: Element | null) =>
  [...(element?.querySelectorAll('a') ?? [])].map((link) => [textOf(link), link.href])
const statusOf = (document: Document) => document.querySelector('.status')

describe.each(['database', 'jwt'] as const)('with session strategy %s', (strategy) => {
  const siteOf = (config: Pick<AuthConfig, 'session' | 'events' | 'theme'> = {}) =>
    databaseSite(op, { config: { session: { strategy }, ...config } })

  test('the sign-in page names the signed-in user, and leads on and to the sign-out', async () => {
    const site = siteOf()
    await site.tab.signIn('op')
    const status = statusOf(await open(site.tab, 'signin?callbackUrl=/board'))
    expect(textOf(status)).toBe('You are signed in as ada@example.com. Sign out Stay signed in')
    const [signOut, stay] = linksOf(status)
    expect(stay).toEqual(['Stay signed in', 'https://app.test/board'])
    const confirm = await open(site.tab, signOut?.[1] ?? '')
    expect(textOf(confirm.querySelector('button'))).toBe('Sign out')
    expect(confirm.querySelector<HTMLInputElement>('[name=callbackUrl]')?.value).toBe(
      'https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fboard',
    )
  })

  test('the pages of another browser say nothing about the user', async () => {
    const site = siteOf()
    await site.tab.signIn('op')
    const elsewhere = site.open()
    for (const path of ['signin', 'signout']) {
      const { body } = await open(elsewhere, path)
      expect(body.textContent).not.toMatch(/ada@example\.com|signed in as/)
    }
  })

  test('the sign-in page neither extends nor exposes the session', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const session = vi.fn()
    const site = siteOf({
      session: { strategy, updateAge: 0 },
      events: { session },
    })
    await site.tab.signIn('op')
    vi.setSystemTime(Date.now() + 3_600_000)
    site.called()
    const response = await site.tab.request('signin')
    vi.useRealTimers()
    expect(response.headers.getSetCookie().join()).not.toContain('session-token')
    expect(session).not.toHaveBeenCalled()
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(site.called()).toEqual(strategy === 'database' ? ['getSessionAndUser'] : [])
  })

  test('the sign-in page reads nothing for a browser without a session', async () => {
    const site = siteOf()
    await site.tab.request('signin')
    expect(site.calls).toEqual([])
  })

  test('the sign-in page does not contradict that the application requires a session', async () => {
    const site = siteOf()
    await site.tab.signIn('op')
    expect(statusOf(await open(site.tab, 'signin?error=SessionRequired'))).toBeNull()
    const denied = await open(site.tab, 'signin?error=OAuthCallbackError')
    expect(textOf(denied.querySelector('[role=alert]'))).toContain('Try again.')
    expect(textOf(statusOf(denied))).toContain('ada@example.com')
  })

  test('the sign-out page without a session leads to the sign-in and the start page', async () => {
    const site = siteOf()
    const document = await open(site.tab, 'signout?callbackUrl=/board')
    expect(textOf(document.querySelector('h1'))).toBe('You are not signed in')
    expect(document.querySelector('form, button')).toBeNull()
    expect(linksOf(document.body)).toEqual([
      ['Sign in', 'https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fboard'],
      ['Go to the start page', 'https://app.test/'],
    ])
    const signedOut = await site.tab.post('signout', { callbackUrl: '/board' })
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([
      302,
      'https://app.test/board',
    ])
  })

  test('the sign-out page of a session that has ended leads to the sign-in', async () => {
    const site = siteOf()
    await site.tab.signIn('op')
    await site.tab.post('signout')
    expect(textOf((await open(site.tab, 'signout')).querySelector('h1'))).toBe(
      'You are not signed in',
    )
  })

  test.each([
    [french, 'Vous êtes connecté en tant que ada@example.com.', 'Vous n’êtes pas connecté'],
    [german, 'Sie sind als ada@example.com angemeldet.', 'Sie sind nicht angemeldet'],
  ])('the pages are translated: %#', async (messages, signedIn, signedOut) => {
    const site = siteOf({ theme: { messages } })
    expect(textOf((await open(site.tab, 'signout')).querySelector('h1'))).toBe(signedOut)
    await site.tab.signIn('op')
    expect(textOf(statusOf(await open(site.tab, 'signin')))).toContain(signedIn)
  })
})

test('a database that is down prevents neither a sign-in nor a sign-out', async () => {
  const site = databaseSite(op)
  await site.tab.signIn('op')
  site.faults.getSessionAndUser = down
  const document = await open(site.tab, 'signin')
  expect(statusOf(document)).toBeNull()
  expect(document.querySelector('form')).not.toBeNull()
  expect(textOf((await open(site.tab, 'signout')).querySelector('button'))).toBe('Sign out')
})

test.each<[object, string | undefined]>([
  [{ name: null, email: null }, 'Sign out Stay signed in'],
  [{ name: '', email: '' }, 'Sign out Stay signed in'],
  [{ email: 5 }, 'You are signed in as 5. Sign out Stay signed in'],
  [{ sub: undefined }, undefined],
])('a session with %j in its token can be signed out of', async (claims, status) => {
  const jwt = ({ token }: { token: object }) => ({ ...token, ...claims })
  const tab = browser(passwordConfig({ callbacks: { jwt } }).config)
  await enter(tab)
  expect(textOf(statusOf(await open(tab, 'signin')))).toBe(status)
  expect(textOf((await open(tab, 'signout')).querySelector('button'))).toBe('Sign out')
})

test('a long address breaks after its @ and dots, and a short one does not', async () => {
  const shown = async (email: string) => {
    const jwt = ({ token }: { token: object }) => ({ ...token, email })
    const tab = browser(passwordConfig({ callbacks: { jwt } }).config)
    await enter(tab)
    return (await open(tab, 'signout')).querySelector('strong')?.innerHTML
  }
  expect(await shown('ada.lovelace@department.example.com')).toBe(
    'ada.lovelace@<wbr>department.<wbr>example.<wbr>com',
  )
  expect(await shown('ada@example.com')).toBe('ada@example.com')
  const name = 'Augusta Ada King, Countess of <b>Lovelace'
  expect(await shown(name)).toBe(name.replace('<b>', '&lt;b&gt;'))
})
