/** Second steps, passwords and accounts on three processes that share a storage (acceptance E1, E5, E6 and the merge). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDialect, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import type { AdapterAccount } from '../../../src/adapters/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { appCode } from '../factors/app-code.ts'
import { serveProvider } from '../served-provider.ts'
import { createSchema, Device, ORIGIN, startProcess } from '../site-processes.ts'
import type { Answer, Process } from '../site-processes.ts'

const SITE = join(import.meta.dirname, 'account-process.mjs')
const TABLES = ['records', 'factors', 'passwords'] as const

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

async function openFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-accounts-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'database')
  await createSchema(new SqliteDialect({ database: () => openSqlite(file) }), 'sqlite', TABLES)
  return `file:${file}`
}

type Person = Readonly<Record<'email' | 'sub', string>>

const newPerson = (): Person => {
  const sub = crypto.randomUUID()
  return { sub, email: `${sub}@example.com` }
}

function testProcesses(storage: string, open: () => Promise<string>): void {
  describe.each(['jwt', 'database'])(`three processes with ${storage}, %s sessions`, (strategy) => {
    const options = { strategy }
    let op: Issuer
    let sites: readonly [Process, Process, Process]
    beforeAll(async () => {
      const served = await serveProvider({})
      ends.push(served.close)
      op = served.op
      const args = [await open(), op.url]
      const start = () => startProcess(SITE, args)
      sites = await Promise.all([start(), start(), start()])
      ends.push(() => sites.forEach((site) => site.stop()))
    })

    const cookieOf = ({ cookie }: Device) => ({ cookie })

    async function isSignedIn(site: Process, device: Device): Promise<boolean> {
      return (await device.send(site, 'session')).body !== 'null'
    }

    const seenBy = (device: Device) => Promise.all(sites.map((site) => isSignedIn(site, device)))

    async function signedIn(person: Person): Promise<Device> {
      const device = new Device(options)
      await device.signIn(sites[0], op, person)
      expect(await seenBy(device)).toEqual([true, true, true])
      return device
    }

    const userOf = ({ email }: Person) =>
      sites[0].call(options, 'userOf', { email }) as Promise<string>

    async function enroll(device: Device) {
      const begun = await sites[0].call(options, 'enroll', cookieOf(device))
      const { id, secret } = begun as { id: string; secret: string }
      const enrollment = { id, code: await appCode(secret, -1) }
      const given = { ...cookieOf(device), enrollment }
      const done = (await sites[1].call(options, 'confirm', given)) as {
        recoveryCodes: readonly string[]
        cookies: readonly string[]
      }
      for (const each of done.cookies) device.cookies.accept(each, ORIGIN)
      return { secret, recoveryCodes: done.recoveryCodes }
    }

    /** The same browser at each of the processes at once. */
    async function atOnce(device: Device, path: string, body: Readonly<Record<string, string>>) {
      const copies = sites.map(() => {
        const copy = new Device(options)
        for (const { name, value } of device.cookies.all()) copy.cookies.set(name, value)
        return copy
      })
      const csrfToken = await device.csrfToken(sites[0])
      const sent = { csrfToken, ...body }
      const answers = await Promise.all(
        sites.map((site, at) => copies[at]?.send(site, path, sent) as Promise<Answer>),
      )
      return { answers, copies }
    }

    async function countSessions(devices: readonly Device[]): Promise<number> {
      const seen = await Promise.all(devices.map((device) => isSignedIn(sites[1], device)))
      return seen.filter(Boolean).length
    }

    test('a code of the second step, and a recovery code, begin one session', async () => {
      const person = newPerson()
      const { secret, recoveryCodes } = await enroll(await signedIn(person))
      const wait = async () => {
        const device = new Device(options)
        expect((await device.signIn(sites[1], op, person)).location).toContain('/step-up')
        expect(await seenBy(device)).toEqual([false, false, false])
        return device
      }
      const byApp = await atOnce(await wait(), 'step-up', { code: await appCode(secret) })
      expect(await countSessions(byApp.copies)).toBe(1)
      const [code = ''] = recoveryCodes
      const byCode = await atOnce(await wait(), 'step-up', { code, recovery: 'true' })
      expect(await countSessions(byCode.copies)).toBe(1)
      // Two browsers with the same code.
      const others = await Promise.all([wait(), wait()])
      const again = { code, recovery: 'true' }
      for (const other of others) {
        const { copies } = await atOnce(other, 'step-up', again)
        expect(await countSessions(copies)).toBe(0)
      }
    })

    test('a link to reset a password works once, and ends the sessions in all', async () => {
      const person = newPerson()
      const device = await signedIn(person)
      const other = new Device(options)
      const csrfToken = await other.csrfToken(sites[0])
      await other.send(sites[0], 'password/forgot', { csrfToken, email: person.email })
      const mails = (await sites[0].call(options, 'mails', {})) as { url: string }[]
      const token = new URL(mails.at(-1)?.url ?? '').searchParams.get('token') ?? ''
      const chosen = ['violets are blue 1', 'violets are blue 2', 'violets are blue 3']
      const answers = await Promise.all(
        sites.map((site, at) =>
          other.send(site, 'password/reset', { csrfToken, token, password: chosen[at] ?? '' }),
        ),
      )
      const done = answers.map(({ location }) => location?.endsWith('/password/done') ?? false)
      expect(done.filter(Boolean)).toHaveLength(1)
      expect(await seenBy(device)).toEqual([false, false, false])
      const password = chosen[done.indexOf(true)] ?? ''
      const tab = new Device(options)
      const fields = { csrfToken: await tab.csrfToken(sites[2]), email: person.email, password }
      await tab.send(sites[2], 'callback/password', fields)
      expect(await seenBy(tab)).toEqual([true, true, true])
    })

    test('of the last two accounts, which are unlinked at the same time, one stays', async () => {
      const person = newPerson()
      const device = await signedIn(person)
      const userId = await userOf(person)
      const second = { provider: 'other', providerAccountId: person.sub }
      await sites[0].call(options, 'link', { ...second, type: 'oidc', userId })
      const keys = [{ ...second, provider: 'op' }, second]
      const unlink = (key: object, at: number) =>
        sites[at]?.call(options, 'unlink', { ...cookieOf(device), key })
      await Promise.allSettled(keys.map(unlink))
      const left = (await sites[2].call(options, 'accounts', { userId })) as AdapterAccount[]
      expect(left.length).toBeGreaterThan(0)
    })

    test('a merge that begins in one is completed once by the others', async () => {
      const [into, from] = [newPerson(), newPerson()]
      const device = await signedIn(into)
      const other = await signedIn(from)
      const { secret } = await enroll(other)
      const userId = await userOf(into)
      const page = (await sites[0].call(options, 'merge', cookieOf(device))) as string
      const stepUp = new URL(page).searchParams.get('stepUp') ?? ''
      const fields = { stepUp, callbackUrl: '/account' }
      expect((await device.signIn(sites[1], op, from, fields)).location).toContain('/step-up')
      const { answers } = await atOnce(device, 'step-up', { code: await appCode(secret) })
      const back = answers.filter(({ location }) => location === 'https://app.test/account')
      expect(back.length).toBeGreaterThanOrEqual(1)
      expect(await userOf(from)).toBeNull()
      const accounts = (await sites[2].call(options, 'accounts', { userId })) as AdapterAccount[]
      expect(accounts.map(({ providerAccountId }) => providerAccountId).sort()).toEqual(
        [into.sub, from.sub].sort(),
      )
      expect(await seenBy(other)).toEqual([false, false, false])
      expect(await seenBy(device)).toEqual([true, true, true])
    })
  })
}

testProcesses('one SQLite file', openFile)

await withDatabases(['postgres', 'redis'], async ({ postgres, redis }) => {
  const pool = new Pool({ connectionString: postgres.url })
  await createSchema(new PostgresDialect({ pool }), 'postgres', TABLES)
  testProcesses('PostgreSQL', async () => postgres.url)
  testProcesses('Redis', async () => redis.url)
})
