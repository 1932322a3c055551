/** docs/guides/step-up.md */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'
import { SESSION } from '../frameworks/next/next-site.ts'
import { pass, stopClock } from '../sessions.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('step-up')
const op = await issuer()
const FRESH = 15 * 60

beforeAll(stubGuideEnvironment)
afterEach(() => void vi.useRealTimers())
afterAll(() => void vi.unstubAllEnvs())

type Handler = (request: Request, config: AuthConfig) => Promise<Response>

async function site(file: string, name: string) {
  const handler = (await guide.load<Record<string, Handler>>(file))[name] as Handler
  stopClock()
  const { config } = configFor(op)
  const tab = browser(config, { issuer: op })
  const send = (method: 'GET' | 'POST', headers: Record<string, string> = {}) => {
    const cookie = `${SESSION}=${tab.cookies.get(SESSION)?.value ?? ''}`
    const url = 'https://app.test/billing'
    const request = new Request(url, {
      method,
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    })
    return handler(request, config)
  }
  return { tab, send }
}

test('an account is removed by a form of the site, within 15 minutes after the sign-in', async () => {
  const { tab, send } = await site('remove-account.ts', 'removeAccount')
  await tab.signIn('op', { sub: 'ada', email: 'ada@example.com' })
  expect((await send('GET')).status).toBe(403)
  expect((await send('POST', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(await (await send('POST')).json()).toEqual({ removed: 'ada@example.com' })
  await pass(FRESH + 61)
  await expect(send('POST')).rejects.toMatchObject({ type: 'StepUpRequired' })
})

test('a page redirects to the step-up and back, and a script gets 401 with its URL', async () => {
  const { tab, send } = await site('billing.ts', 'billing')
  const page = { 'sec-fetch-dest': 'document' }
  const visitor = await send('GET', page)
  expect(visitor.status).toBe(303)
  expect(visitor.headers.get('location')).toContain('https://app.test/auth/signin?')
  await tab.signIn('op', { sub: 'ada', name: 'Ada' })
  expect(await (await send('GET', page)).json()).toEqual({ name: 'Ada' })
  await pass(FRESH + 61)
  const script = await send('GET')
  expect(script.status).toBe(401)
  expect(script.headers.get('www-authenticate')).toContain('insufficient_user_authentication')
  const { error, url } = (await script.json()) as { error: string; url: string }
  expect(error).toBe('StepUpRequired')
  const redirect = await send('GET', page)
  const stepUp = new URL(redirect.headers.get('location') ?? '')
  expect([redirect.status, stepUp.pathname]).toEqual([303, new URL(url).pathname])
  const fields = Object.fromEntries(stepUp.searchParams)
  const back = await (await tab.begin('op', fields)).complete({ sub: 'ada', name: 'Ada' })
  expect(back.headers.get('location')).toBe('https://app.test/billing')
  expect((await send('GET', page)).status).toBe(200)
})
