/** docs/guides/database-production.md */
import { afterAll, expect, test, vi } from 'vitest'
import type { Adapter } from '../../src/adapters/index.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { openGuide } from './guide.ts'

type CleanUp = (request: Request, ...adapters: Adapter[]) => Promise<Response>

const { cleanUp } = await openGuide('database-production').load<{ cleanUp: CleanUp }>('clean-up.ts')

afterAll(() => void vi.unstubAllEnvs())

const ask = (authorization: string, ...adapters: Adapter[]) =>
  cleanUp(new Request('https://app.test/clean-up', { headers: { authorization } }), ...adapters)

async function withExpiredToken() {
  const adapter = MemoryAdapter()
  const token = { identifier: 'ada@example.com', token: 'hash', expires: new Date(0) }
  await adapter.createVerificationToken(token)
  return { adapter, isLeft: async () => (await adapter.useVerificationToken(token)) !== null }
}

test('the route deletes expired rows of each adapter', async () => {
  vi.stubEnv('CRON_SECRET', 'a secret')
  const sites = [await withExpiredToken(), await withExpiredToken()]
  const adapters = sites.map(({ adapter }) => adapter)
  // Its `deleteExpired` is optional.
  const response = await ask('Bearer a secret', ...adapters, {})
  expect(response.status).toBe(204)
  for (const { isLeft } of sites) expect(await isLeft()).toBe(false)
})

test.each([
  ['a secret', 'Bearer guessed'],
  ['a secret', 'a secret'],
  ['', 'Bearer '],
  ['', 'Bearer undefined'],
])('with the secret "%s", "%s" is rejected', async (secret, authorization) => {
  vi.stubEnv('CRON_SECRET', secret)
  const { adapter, isLeft } = await withExpiredToken()
  expect((await ask(authorization, adapter)).status).toBe(401)
  expect(await isLeft()).toBe(true)
})
