/** Sessions of three processes that share a storage: what one ends, the others do not accept (acceptance B2, B7, C3, C5). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDialect, SqliteDialect } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../../src/adapters/sqlite.ts'
import type { AuthConfig } from '../../../src/index.ts'
import type { Issuer } from '../../../src/testing/index.ts'
import { withDatabases } from '../../adapters/databases.ts'
import { serveProvider } from '../served-provider.ts'
import { createSchema, Device as Browser, ORIGIN, startProcess } from '../site-processes.ts'
import type { Answer, Process } from '../site-processes.ts'
import { logoutToken } from './logout-token.ts'

const SITE = join(import.meta.dirname, 'session-site.mjs')

type Options = Pick<AuthConfig, 'session' | 'logout'>

interface Listed {
  readonly sid: string
}

const ends: (() => unknown)[] = []
afterAll(async () => void (await Promise.all(ends.map(async (end) => end()))))

async function openProvider(): Promise<Issuer> {
  const { op, close } = await serveProvider({})
  ends.push(close)
  op.misbehaviour.discovery = (metadata) => ({
    ...metadata,
    end_session_endpoint: `${op.url}/end-session`,
  })
  return op
}

/** A browser, whose requests can be sent to each of the processes. */
class Device extends Browser<Options> {
  async enter(site: Process, op: Issuer, sub: string): Promise<void> {
    const person = { sub, email: `${sub}@example.com`, sid: `op session of ${sub}` }
    await this.signIn(site, op, person)
  }

  async sessions(site: Process): Promise<readonly Listed[] | null> {
    const headers = { cookie: this.cookie, host: 'app.test', 'x-forwarded-proto': 'https' }
    return (await site.call(this.options, 'list', { headers })) as readonly Listed[] | null
  }

  revokeOthers(site: Process) {
    const headers = {
      cookie: this.cookie,
      host: 'app.test',
      'x-forwarded-proto': 'https',
      origin: ORIGIN.origin,
    }
    return site.call(this.options, 'revokeOthers', { headers })
  }
}

/** The id of the user whose cookies these are, as a process sees it. */
async function read(site: Process, options: Options, cookie: string): Promise<string | null> {
  const given = { path: 'session', method: 'GET', headers: { cookie } }
  const { body } = (await site.call(options, 'request', given)) as Answer
  return (JSON.parse(body) as { user: { id: string } } | null)?.user.id ?? null
}

async function openFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-sessions-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'database')
  await createSchema(new SqliteDialect({ database: () => openSqlite(file) }), 'sqlite')
  return `file:${file}`
}

const STRATEGIES: Readonly<Record<string, NonNullable<Options['session']>>> = {
  jwt: { strategy: 'jwt', revocation: {} },
  database: { strategy: 'database' },
  'database, hashed tokens': { strategy: 'database', hashTokens: true },
}

function testProcesses(storage: string, open: () => Promise<string>): void {
  describe(`three processes with ${storage}`, () => {
    let op: Issuer
    let sites: readonly [Process, Process, Process]
    beforeAll(async () => {
      op = await openProvider()
      const args = [await open(), op.url]
      const start = () => startProcess(SITE, args)
      sites = await Promise.all([start(), start(), start()])
      ends.push(() => sites.forEach((site) => site.stop()))
    })
    let people = 0
    const newPerson = () => `person-${people++}-${crypto.randomUUID()}`

    const readAll = (options: Options, cookie: string) =>
      Promise.all(sites.map((site) => read(site, options, cookie)))

    /** Whatever a process remembers of a session is in its memory afterwards. */
    async function signedIn(options: Options, sub: string): Promise<Device> {
      const device = new Device(options)
      await device.enter(sites[0], op, sub)
      expect(await readAll(options, device.cookie)).not.toContain(null)
      return device
    }

    async function signOut(device: Device, fields: object = {}): Promise<Answer> {
      const { csrfToken } = JSON.parse((await device.send(sites[0], 'csrf')).body)
      return device.send(sites[0], 'signout', { csrfToken, ...fields })
    }

    describe.each(Object.entries(STRATEGIES))('%s', (_strategy, session) => {
      test('a copy of a cookie is worth nothing in any of them after the sign-out in one', async () => {
        const options = { session }
        const device = await signedIn(options, newPerson())
        const other = await signedIn(options, newPerson())
        const copy = device.cookie
        await signOut(device)
        expect(await readAll(options, copy)).toEqual([null, null, null])
        expect(await readAll(options, other.cookie)).not.toContain(null)
      })

      test('sessions that one renews while another ends all of them have ended', async () => {
        const options = { session: { ...session, updateAge: 0, devices: 'listed' } as const }
        const device = await signedIn(options, newPerson())
        const userId = await read(sites[0], options, device.cookie)
        const sent = new Set([device.cookie])
        const renew = async (site: Process) => {
          for (let request = 0; request < 10; request++) {
            const given = { path: 'session', method: 'GET', headers: { cookie: device.cookie } }
            const { cookies } = (await site.call(options, 'request', given)) as Answer
            for (const each of cookies)
              if (!/Max-Age=0/i.test(each)) sent.add(each.split(';', 1)[0] ?? '')
          }
        }
        const all = sites[2].call(options, 'revokeAll', { userId })
        await Promise.all([renew(sites[0]), renew(sites[1]), all])
        expect(await all).toBe(1)
        for (const cookie of sent)
          expect(await readAll(options, cookie)).toEqual([null, null, null])
        await device.enter(sites[1], op, newPerson())
        expect(await readAll(options, device.cookie)).not.toContain(null)
      })

      test('a user ends the others in one, and keeps the current one in all', async () => {
        const options = { session: { ...session, devices: 'listed' } as const }
        const person = newPerson()
        const [laptop, phone, tablet] = [
          await signedIn(options, person),
          await signedIn(options, person),
          await signedIn(options, person),
        ]
        expect(await laptop.sessions(sites[1])).toHaveLength(3)
        expect(await laptop.revokeOthers(sites[2])).toBe(2)
        expect(await readAll(options, phone.cookie)).toEqual([null, null, null])
        expect(await readAll(options, tablet.cookie)).toEqual([null, null, null])
        expect(await readAll(options, laptop.cookie)).not.toContain(null)
        expect(await laptop.sessions(sites[0])).toHaveLength(1)
      })

      test('20 sign-ins at once leave three sessions with maxPerUser: 3', async () => {
        const options = { session: { ...session, maxPerUser: 3 } }
        const person = newPerson()
        // Of concurrent first sign-ins, one creates the user.
        await signedIn(options, person)
        const devices = Array.from({ length: 20 }, () => new Device(options))
        await Promise.all(
          devices.map((device, at) => device.enter(sites[at % 3] ?? sites[0], op, person)),
        )
        const seen = await Promise.all(devices.map(({ cookie }) => readAll(options, cookie)))
        const valid = seen.filter((each) => !each.includes(null))
        // Each process says the same of a session.
        expect(valid.length + seen.filter((each) => each.every((id) => id === null)).length).toBe(
          20,
        )
        expect(valid.length).toBeLessThanOrEqual(3)
        expect(valid.length).toBeGreaterThan(0)
      })

      test('a token of the provider ends its session in all, and cannot be sent to another again', async () => {
        const options = { session, logout: { backChannel: ['op'] } }
        const [ada, grace] = [newPerson(), newPerson()]
        const ended = await signedIn(options, ada)
        const other = await signedIn(options, grace)
        const server = new Device(options)
        const body = { logout_token: await logoutToken(op, { sid: `op session of ${ada}` }) }
        expect((await server.send(sites[2], 'backchannel-logout/op', body)).status).toBe(200)
        expect(await readAll(options, ended.cookie)).toEqual([null, null, null])
        expect(await readAll(options, other.cookie)).not.toContain(null)
        for (const site of sites)
          expect((await server.send(site, 'backchannel-logout/op', body)).status).toBe(400)
      })

      test('of a token that all receive at once, one does the work', async () => {
        const options = { session, logout: { backChannel: ['op'] } }
        const ada = newPerson()
        const ended = await signedIn(options, ada)
        const body = { logout_token: await logoutToken(op, { sid: `op session of ${ada}` }) }
        const answers = await Promise.all(
          sites.map((site) => new Device(options).send(site, 'backchannel-logout/op', body)),
        )
        expect(answers.map(({ status }) => status)).toContain(200)
        expect(await readAll(options, ended.cookie)).toEqual([null, null, null])
      })

      test('a sign-out at the provider that begins in one is completed in another', async () => {
        const options = { session, logout: {} }
        const device = await signedIn(options, newPerson())
        const copy = device.cookie
        const left = await signOut(device, { federated: 'true', callbackUrl: '/goodbye' })
        const { pathname, searchParams } = new URL(left.location ?? '')
        expect([pathname, searchParams.has('id_token_hint')]).toEqual(['/end-session', true])
        expect(await readAll(options, copy)).toEqual([null, null, null])
        const path = `post-logout?state=${searchParams.get('state')}`
        const stranger = await new Device(options).send(sites[1], path)
        expect([stranger.status, stranger.location]).toEqual([200, null])
        const back = await device.send(sites[1], path)
        expect([back.status, back.location]).toEqual([302, 'https://app.test/goodbye'])
        // The state has been used.
        const again = await device.send(sites[2], path)
        expect([again.status, again.location]).toEqual([200, null])
      })
    })

    test('with maxStaleness, a session that one has ended is accepted by the others for as long', async () => {
      const maxStaleness = 3
      const options = { session: { strategy: 'jwt', revocation: { maxStaleness } } as const }
      const device = await signedIn(options, newPerson())
      const copy = device.cookie
      await signOut(device)
      const ended = Date.now()
      expect(await read(sites[0], options, copy)).toBeNull()
      await expect
        .poll(() => readAll(options, copy), { timeout: maxStaleness * 1000 + 5000 })
        .toEqual([null, null, null])
      // Not more than a slow machine needs for the last requests.
      expect(Date.now() - ended).toBeLessThan(maxStaleness * 1000 + 5000)
    })
  })
}

testProcesses('one SQLite file', openFile)

await withDatabases(['postgres', 'redis'], async ({ postgres, redis }) => {
  const pool = new Pool({ connectionString: postgres.url })
  await createSchema(new PostgresDialect({ pool }), 'postgres')
  testProcesses('PostgreSQL', async () => postgres.url)
  testProcesses('Redis', async () => redis.url)
})
