/** `signIn` from code with an id that no provider has: the log shows the ids that exist. */
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import HonoLib from '../../src/frameworks/hono/index.ts'
import { silentLog } from '../config.ts'
import { siteConfig } from './conformance/site.ts'
import { nextSite, thrownRedirect } from './next/next-site.ts'

const ids = (log: ReturnType<typeof silentLog>['log']) =>
  log.errors.map(({ message }) => /Configured ids: (.*)\. Read more/.exec(message)?.[1])

function signInWith(id: string | undefined, overrides = {}) {
  const { config, log } = siteConfig(overrides)
  const lib = HonoLib(config)
  const app = new Hono().post('/login', (c) => lib.signIn(c, id))
  const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }
  const request = new Request('http://localhost:3000/login', { method: 'POST', headers })
  return { log, answer: app.request(request) }
}

test('signIn with an unknown provider leads to the sign-in page, and logs the configured ids', async () => {
  const { log, answer } = signInWith('Github')
  const { status, headers } = await answer
  expect([status, headers.get('location')]).toEqual([
    303,
    'http://localhost:3000/auth/signin?callbackUrl=%2F',
  ])
  expect(log.errors[0]?.message).toContain('the provider "Github", which is not configured')
  expect(ids(log)).toEqual(['"op", "credentials"'])
})

test('signIn without providers logs that no provider is configured', async () => {
  const { log, answer } = signInWith('github', { providers: [] })
  await answer
  expect(ids(log)).toEqual(['none'])
})

test.each([undefined, ''])('signIn with %j as the provider logs nothing', async (id) => {
  const { log, answer } = signInWith(id)
  expect((await answer).status).toBe(303)
  expect([log.errors, log.lines]).toEqual([[], []])
})

test('Next.js: signIn with an unknown provider logs the configured ids', async () => {
  const { log, logger } = silentLog()
  const site = nextSite({ logger })
  await thrownRedirect(site.action(() => site.signIn('Github')))
  expect(ids(log)).toEqual([expect.stringContaining('"op"')])
})
