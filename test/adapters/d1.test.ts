/** The Kysely adapter over Cloudflare D1, and sign-ins in Cloudflare's runtime. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { KyselyAdapterOptions } from '../../src/adapters/kysely.ts'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { adapterCases } from '../../src/testing/index.ts'
import { startWorker } from '../apps/d1/index.ts'
import type { RunningWorker } from '../apps/d1/index.ts'
import { findWorkerd } from '../services.ts'
import { workerSite } from '../worker-site.ts'

/** Layouts of the tables. */
const FORMS = [
  { ids: 'text', with: ['records', 'factors', 'passwords'] },
  {
    ids: 'integer',
    with: ['records', 'factors', 'passwords'],
    columns: 'snake_case',
    tables: {
      users: 'my people',
      accounts: 'my accounts',
      sessions: 'my sessions',
      verificationTokens: 'my tokens',
      authenticators: 'my passkeys',
      records: 'my records',
      factors: 'my factors',
      passwords: 'my passwords',
    },
  },
] as const satisfies KyselyAdapterOptions[]

const { outside, open } = await workerSite()

if (await findWorkerd()) describe('D1', testD1)
else test.skip('without workerd')

function testD1(): void {
  let folder: string
  let worker: RunningWorker | undefined
  let origin: string

  beforeAll(async () => {
    // The runtime stores its database in this folder and does not wait for its deletion.
    folder = mkdtempSync(join(tmpdir(), 'lib-auth-d1-'))
    vi.stubEnv('TMPDIR', folder)
    worker = await startWorker(outside).finally(() => vi.unstubAllEnvs())
    origin = worker.origin
  })

  afterAll(async () => {
    await worker?.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function callWorker(path: string, input: object = {}): Promise<unknown> {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(input) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }

  const run = (sql: string) => callWorker('/statement', { sql })

  for (const options of FORMS)
    describe(`with ids of type ${options.ids}`, () => {
      beforeAll(async () => {
        for (const { statement } of createTables({ ...options, dialect: 'sqlite' }))
          await run(statement)
      })

      for (const { name, needs } of adapterCases)
        if (!needs.includes('transaction')) test(name, () => callWorker('/case', { name, options }))

      test('returns null for an id above the maximum of D1', async () => {
        expect(await callWorker('/user', { id: '9223372036854775807', options })).toBeNull()
      })
    })

  describe('a site on D1', () => {
    test('signs in with a password and signs out', async () => {
      const [tab, other] = [open(origin), open(origin)]
      await tab.enter('ada@example.com', 'wrong')
      expect(await tab.email()).toBeUndefined()
      await tab.enter('ada@example.com')
      await other.enter('ada@example.com')
      expect(await tab.email()).toBe('ada@example.com')
      await tab.post('signout')
      expect(await tab.email()).toBeUndefined()
      expect(await other.email()).toBe('ada@example.com')
      expect(await callWorker('/errors')).toEqual(['CredentialsSignin'])
    })

    test('signs in with a magic link once', async () => {
      const [tab, other] = [open(origin), open(origin)]
      const link = await tab.requestLink('grace@example.com')
      await tab.follow(link)
      expect(await tab.email()).toBe('grace@example.com')
      expect((await other.follow(link)).location?.search).toBe('?error=Verification')
      expect(await other.email()).toBeUndefined()
      expect(await callWorker('/errors')).toEqual(['Verification'])
    })

    test('signs many users in concurrently and finds the same users again', async () => {
      const claims = Array.from({ length: 20 }, (_, index) => {
        const sub = `many-${index}`
        return { sub, email: `${sub}@example.com` }
      })
      for (let time = 0; time < 2; time++) {
        const emails = claims.map(async (person) => {
          const tab = open(origin)
          await tab.signIn(person)
          return tab.email()
        })
        expect(await Promise.all(emails)).toEqual(claims.map(({ email }) => email))
      }
      const users = `select count(*) as users from users where email like 'many-%'`
      expect(await run(users)).toEqual([{ users: claims.length }])
      expect(await callWorker('/errors')).toEqual([])
    })

    test('deletes a new user whose account cannot be stored', async () => {
      await run(
        `create trigger refuse before insert on accounts begin select raise(abort, 'refused'); end`,
      )
      const person = { sub: 'edith', email: 'edith@example.com' }
      const { location } = await open(origin).signIn(person)
      expect(location?.search).toBe('?error=TemporarilyUnavailable')
      expect(await run(`select * from users where email = '${person.email}'`)).toEqual([])
      expect(await callWorker('/errors')).toEqual(['AdapterError'])
      await run('drop trigger refuse')
      const tab = open(origin)
      await tab.signIn(person)
      expect(await tab.email()).toBe(person.email)
    })
  })
}
