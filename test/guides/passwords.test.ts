/** docs/guides/passwords.md */
import { createHash, scryptSync } from 'node:crypto'
import { hash as argon2Hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { Adapter } from '../../src/adapters/index.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import type { VerifyLegacyPassword } from '../../src/password.ts'
import { enter, passwordSite } from '../core/password/password-site.ts'
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

test('hashes of argon2 and scrypt are verified, and users are imported', async () => {
  const { argon2, scrypt } = await guide.load<Record<string, VerifyLegacyPassword>>('legacy.ts')
  const { importUser } = await guide.load<{
    importUser: (adapter: Adapter, old: object) => Promise<void>
  }>('import-users.ts')
  if (!argon2 || !scrypt) throw new Error('The guide has no legacy.ts.')
  const salt = '00112233445566778899aabbccddeeff'
  const key = scryptSync(FIRST, salt, 64).toString('hex')
  const hashes = { ada: await argon2Hash(FIRST), bob: `${salt}:${key}` }
  const adapter = MemoryAdapter()
  for (const [id, passwordHash] of Object.entries(hashes))
    await importUser(adapter, { id, name: id, email: `${id}@example.com`, passwordHash })
  const site = passwordSite({ adapter, password: { legacy: [argon2, scrypt] } })
  for (const id of Object.keys(hashes)) {
    const tab = site.open()
    await enter(tab, SECOND, `${id}@example.com`)
    expect(await tab.session()).toBeNull()
    await enter(tab, FIRST, `${id}@example.com`)
    expect((await tab.session())?.user?.email).toBe(`${id}@example.com`)
    expect((await adapter.getPassword(id))?.hash).toMatch(/^\$scrypt\$/)
  }
})

test('check rejects a password that has leaked, and sends five digits of its hash', async () => {
  const { check } = await guide.load<{ check: (password: string) => Promise<string | null> }>(
    'leaked.ts',
  )
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
