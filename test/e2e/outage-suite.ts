/** Slow networks, outages and expired sessions. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'
import {
  addressOf,
  button,
  follow,
  openAsGrace,
  recordTexts,
  seeHeader,
  seeHeading,
  seeSignIn,
  signInAtProvider,
  typePassword,
} from './user-actions.ts'

/** Delays all further responses to this page. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 500,
    downloadThroughput: 200_000,
    uploadThroughput: 50_000,
  })
}

/** A slow network. */
export function slowSuite(demo: Demo): void {
  test('shows neither a signed-in nor a signed-out state while the network is slow', async () => {
    const page = await openAsGrace(demo, '/client')
    await slowDown(page)
    const texts = await recordTexts(page)
    await page.reload()
    await seeHeading(page, 'Hello, Grace Hopper')
    await follow(page, 'Account')
    await seeHeading(page, 'Your account')
    await page.goBack()
    await seeHeading(page, 'Hello, Grace Hopper')
    expect(texts.join()).toContain('Grace Hopper')
    expect(texts.join()).not.toMatch(/signed out|not signed in/i)

    await button(page, 'Sign out').dblclick()
    await seeHeading(page, 'You are not signed in')
    texts.length = 0
    await page.reload()
    await seeHeading(page, 'You are not signed in')
    await seeHeader(page, 'Signed out')
    expect(texts.join()).not.toContain('Grace')
  })

  test('signs in with a form that is sent twice on a slow network', async () => {
    const page = await demo.open('/client')
    await seeHeading(page, 'You are not signed in')
    await slowDown(page)
    await typePassword(page, 'grace', 'correct horse')
    await button(page, 'Sign in with a password').dblclick()
    await seeHeading(page, 'Hello, Grace Hopper')
    await seeHeader(page, 'Signed in as Grace Hopper')
    expect(addressOf(page)).toBe('/client')
  })
}

/** The callback URL after the user has signed in with the provider. */
async function callbackOf(page: Page): Promise<string> {
  await button(page, 'Continue as Ada Lovelace').click()
  await button(page, 'Continue').waitFor()
  const action = await page.locator('form').first().getAttribute('action')
  const { request } = page.context()
  let answer = await request.post(new URL(action ?? '', page.url()).href, {
    form: { prompt: 'consent' },
    maxRedirects: 0,
  })
  for (let hop = 0; hop < 3; hop++) {
    const location = new URL(answer.headers().location ?? '', page.url())
    if (location.pathname.startsWith('/api/auth/callback/')) return location.href
    answer = await request.get(location.href, { maxRedirects: 0 })
  }
  throw new Error('The provider did not redirect to the callback URL.')
}

async function seeAlert(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).waitFor()
}

/** The provider is down before its first discovery request. */
export function outageSuite(demo: Demo): void {
  const { open, withoutProvider, url } = demo

  test('reports that the provider is down, and signs in when it is available again', async () => {
    const page = await open('/')
    await withoutProvider(async () => {
      await button(page, 'Sign in with the demo provider').click()
      await seeAlert(page, 'The provider cannot be reached right now.')
      await button(page, 'Continue with Demo provider').click()
      await seeAlert(page, 'The provider cannot be reached right now.')
      await page.goto(url())
      await seeHeading(page, 'You are not signed in')
    })
    await page.goto(url())
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'ada')
    await seeHeading(page, 'Hello, Ada Lovelace')
  })

  test('reports that the provider failed during the callback, and signs in when it is available again', async () => {
    const page = await open('/')
    await button(page, 'Sign in with the demo provider').click()
    await page.getByLabel('Any user name').waitFor()
    const callback = await callbackOf(page)
    await withoutProvider(async () => {
      await page.goto(callback)
      await seeAlert(page, 'The provider did not sign you in.')
      await page.goto(url())
      await seeHeading(page, 'You are not signed in')
    })
    await button(page, 'Sign in with the demo provider').click()
    await signInAtProvider(page, 'ada')
    await seeHeading(page, 'Hello, Ada Lovelace')
  })
}

/** Sessions that last for seconds. */
export function expirySuite(demo: Demo): void {
  test('updates every open page when the session expires', async () => {
    demo.accept(/status of 401/)
    const page = await openAsGrace(demo, '/')
    const others = []
    for (const path of ['/client', '/account', '/protected'])
      others.push({ path, tab: await demo.open(path, page.context()) })
    for (const { tab } of others) await seeHeader(tab, 'Signed in as Grace Hopper')

    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor({ timeout: 60_000 })
    for (const { path, tab } of others)
      if (path === '/client') await seeHeading(tab, 'You are not signed in')
      else await seeSignIn(tab, path)
  }, 120_000)
}
