/** docs/guides/credentials.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LibResult } from '../../src/next/index.ts'
import { nextSite } from '../wrappers/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('credentials')

beforeAll(async () => {
  stubGuideEnvironment()
  const { hashPassword } = await guide.load<{
    hashPassword: (password: string) => Promise<string>
  }>('passwords.ts')
  const { users } = await guide.load<{ users: { insert: (user: object) => Promise<void> } }>(
    'users.ts',
  )
  const passwordHash = await hashPassword('correct horse')
  await users.insert({
    id: '1',
    name: 'Ada',
    email: 'ada@example.com',
    passwordHash,
    isLocked: false,
  })
  await users.insert({
    id: '2',
    name: 'Bob',
    email: 'bob@example.com',
    passwordHash,
    isLocked: true,
  })
})
afterAll(() => void vi.unstubAllEnvs())

test.each([
  ['ada@example.com', 'correct horse', 'https://app.test/'],
  ['ada@example.com', 'wrong', { type: 'CredentialsSignin', code: 'credentials' }],
  ['eve@example.com', 'correct horse', { type: 'CredentialsSignin', code: 'credentials' }],
  ['bob@example.com', 'wrong', { type: 'CredentialsSignin', code: 'credentials' }],
  ['bob@example.com', 'correct horse', { type: 'CredentialsSignin', code: 'locked' }],
])('%s with the password "%s": %j', async (email, password, result) => {
  const { signIn } = await guide.load<LibResult>('auth.ts')
  const work = nextSite()
    .action(() => signIn('credentials', { email, password, redirect: false }))
    .catch((error: unknown) => error)
  if (typeof result === 'string') expect(await work).toBe(result)
  else expect(await work).toMatchObject(result)
})
