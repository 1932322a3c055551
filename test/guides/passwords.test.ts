/** docs/guides/passwords.md */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { openSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('passwords')
const FIRST = 'correct horse battery staple'
const SECOND = 'a pound of purple plums'

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test('a visitor signs up with the link of the mail, and changes the password with the action', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const lib = await guide.load<LibResult>('auth.ts')
  const { changePassword } = await guide.load<{
    changePassword: (form: FormData) => Promise<string>
  }>('actions.ts')
  const site = openSite(lib)
  const fields = { email: 'ada@example.com', password: FIRST, name: 'Ada' }
  await site.action(async () => lib.password.signUp(fields))
  const [mail = ''] = printed.mock.lastCall ?? []
  printed.mockRestore()
  const token = /verify\?token=([\w-]+)/.exec(String(mail))?.[1] ?? ''
  expect(token).not.toBe('')
  await site.action(async () => lib.password.verifyEmail({ token }))
  const send = async (given: Record<string, string>) =>
    site.action(async () => changePassword(formOf(given)))
  expect(await send({ current: 'wrong', password: SECOND })).toBe('the current password is wrong')
  expect(await send({ current: FIRST, password: 'short' })).toBe('too_short')
  expect(await send({ current: FIRST, password: SECOND })).toBe('changed')
})

test('the redirect of /.well-known/change-password leads to the page', async () => {
  type Redirects = () => Promise<{ source: string; destination: string }[]>
  const { default: next } = await guide.load<{ default: { redirects: Redirects } }>(
    'next.config.ts',
  )
  const [redirect, ...others] = await next.redirects()
  expect([redirect?.source, others]).toEqual(['/.well-known/change-password', []])
  const lib = await guide.load<LibResult>('auth.ts')
  const url = new URL(redirect?.destination ?? '', 'https://app.test')
  const page = await lib.handlers.GET(new Request(url) as never)
  // A visitor signs in first, and returns to it.
  expect(page.status).toBe(302)
  const location = new URL(page.headers.get('location') ?? '')
  expect(location.pathname).toBe('/api/auth/signin')
  expect(location.searchParams.get('callbackUrl')).toContain('/api/auth/password/change')
})

const ADA = { email: 'ada.lovelace@example.com', name: 'Ada King' }

test.each([
  ['Acme-Rocket-2026', 'own_words'],
  ['lovelace1815', 'own_words'],
  ['ada king acme', 'own_words'],
  ['correct horse battery staple', null],
  ['my rocket needs more fuel', null],
  ['adamantium forever', null],
])('checkWords of %s returns %s', async (password, code) => {
  const { checkWords } = await guide.load<{
    checkWords: (password: string, owner: object) => string | null
  }>('words.ts')
  expect(checkWords(password, ADA)).toBe(code)
})

test('check rejects a password that has leaked, and sends five digits of its hash', async () => {
  const leaked = await guide.load<{
    check: (password: string, owner: object) => Promise<string | null>
  }>('leaked.ts')
  const check = async (password: string) => leaked.check(password, ADA)
  expect(await check('Acme-Rocket-2026')).toBe('own_words')
  const digest = createHash('sha1').update(FIRST).digest('hex').toUpperCase()
  const requested = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(`${digest.slice(5)}:3\r\n`))
  expect(await check(FIRST)).toBe('leaked')
  expect(requested.mock.lastCall?.[0]).toBe(
    `https://api.pwnedpasswords.com/range/${digest.slice(0, 5)}`,
  )
  expect(await check(SECOND)).toBeNull()
  requested.mockImplementation(async () => new Response(null, { status: 503 }))
  expect(await check(FIRST)).toBeNull()
  requested.mockRestore()
})
