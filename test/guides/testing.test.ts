/** docs/guides/testing.md: its tests run as tests of this file. */
import { afterAll, expect, test, vi } from 'vitest'
import { getSession } from '../../src/index.ts'
import { SECRET } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('testing')
await guide.load('sign-in.test.ts')
await guide.load('orders.test.ts')

afterAll(() => void vi.unstubAllEnvs())

test('the session cookie signs the user in', async () => {
  vi.stubEnv('AUTH_SECRET', SECRET)
  const { sessionCookie } = await guide.load<{ sessionCookie: (user: object) => Promise<string> }>(
    'session-cookie.ts',
  )
  const cookie = await sessionCookie({ id: '1', name: 'Ada Lovelace', email: 'ada@example.com' })
  const request = new Request('http://localhost:3000/account', { headers: { cookie } })
  const { session } = await getSession(request, { providers: [], secret: SECRET, trustHost: true })
  expect(session).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.com' } })
})
