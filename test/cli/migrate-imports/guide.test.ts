/** A user stays signed in when a site is migrated step by step as in the guide. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieStore } from '../../../src/testing/cookies.ts'
import { follow } from '../../package/follow.ts'
import type { Followed } from '../../package/follow.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-migration-'))
const app = mkdtempSync(join(folder, 'app-'))
const cookies = cookieStore()
let site: Followed

/** Sends a request from Ada's browser. */
async function send(target: string, form?: Record<string, string>): Promise<Response> {
  const url = new URL(target)
  const method = form ? 'POST' : 'GET'
  const cookie = cookies.header({ url, method, initiator: 'same-site' })
  const headers = { cookie, origin: url.origin }
  const init = {
    method,
    headers,
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form) }),
  } as const
  const response = await fetch(url, init)
  for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
  return response
}

/** Signs Ada in before the migration; GitHub redirects back at once. */
async function signIn(url: string): Promise<void> {
  const routes = `${url}/api/auth`
  const { csrfToken } = (await (await send(`${routes}/csrf`)).json()) as { csrfToken: string }
  const begun = await send(`${routes}/signin/github`, { csrfToken })
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
  const answer = new URLSearchParams({ code: 'a code', ...(state !== null && { state }) })
  await send(`${routes}/callback/github?${answer}`)
}

const sessionCookies = () =>
  cookies.all().flatMap(({ name }) => (name.includes('session') ? [name] : []))
const visits: { page: string; sessionCookies: string[] }[] = []

beforeAll(async () => {
  site = await follow('docs/guides/migrate-from-next-auth.md', {
    folder: app,
    async visit(url) {
      if (visits.length === 0) await signIn(url)
      const before = sessionCookies()
      visits.push({ page: await (await send(url)).text(), sessionCookies: before })
    },
  })
}, 300_000)
afterAll(async () => {
  await site?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the user is signed in with next-auth', () => {
  expect(visits[0]?.sessionCookies).toEqual(['authjs.session-token'])
  expect(visits[0]?.page).toContain('Ada Lovelace')
})

test('the user is still signed in after the migration', () => {
  expect(visits[1]?.sessionCookies).toEqual(['authjs.session-token'])
  expect(visits[1]?.page).toContain('Ada Lovelace')
  expect(site.pages[1]).toContain('Sign in with GitHub')
})

test('the first request that can set cookies replaces the session cookie', async () => {
  const session: unknown = await (await send(`${site.url}/api/auth/session`)).json()
  expect(session).toMatchObject({ user: { name: 'Ada Lovelace' } })
  expect(sessionCookies()).toEqual(['lib.session-token'])
})

test('next-auth is uninstalled', () => {
  for (const file of ['package.json', 'auth.ts', 'app/layout.tsx'])
    expect(readFileSync(join(app, file), 'utf8')).not.toContain('next-auth')
  expect(existsSync(join(app, 'node_modules/next-auth'))).toBe(false)
})
