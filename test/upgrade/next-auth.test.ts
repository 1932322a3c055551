/** Sessions that `next-auth` 5 has begun are read, rewritten once, and end when they would have ended. */
import { Auth as NextAuth } from '@auth/core'
import type { AuthConfig as NextAuthConfig } from '@auth/core'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { getSession } from '../../src/index.ts'
import { getToken } from '../../src/jwt.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, SECRET } from '../config.ts'
import { openDatabase, runAll, tablesOf } from './databases.ts'
import { readFrozen } from './frozen.ts'
import { NEXT_AUTH_CASES, nextAuthCase, openMigrated } from './next-auth.ts'
import type { MigratedSite } from './next-auth.ts'

const DAY = 24 * 60 * 60
const MAX_AGE = 30 * DAY
/** Seconds that tokens are accepted longer, because clocks differ. */
const TOLERANCE = 15

const frozen = readFrozen(new URL('next-auth-5/', import.meta.url))
afterEach(() => void vi.useRealTimers())

async function open(name: string, seconds: number): Promise<MigratedSite> {
  const given = frozen.cases[name]
  if (!given) throw new Error(`"${name}" is not frozen. Run: npm run freeze -- next-auth-5`)
  return openMigrated(name, given, { tables: frozen.tables, at: frozen.at + seconds * 1000 })
}

const sessionCookies = ({ tab }: MigratedSite) =>
  tab.cookies.all().flatMap(({ name, value }) => (/session/.test(name) ? [`${name}=${value}`] : []))

/** The names that `getSession` and `getToken` read. */
async function readBoth({ tab, config }: MigratedSite): Promise<unknown[]> {
  const url = new URL('/page', tab.origin)
  const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' })
  const request = () => new Request(url, { headers: { cookie } })
  const { session } = await getSession(request(), config)
  const token = config.adapter ? session?.user : await getToken({ req: request(), config })
  return [session?.user?.name, token?.name]
}

const ADA = 'Ada Lovelace'

test('each case is frozen', () => {
  expect(Object.keys(frozen.cases)).toEqual(Object.keys(NEXT_AUTH_CASES))
})

describe.each(Object.keys(NEXT_AUTH_CASES))('%s', (name) => {
  test.each([0, 20 * DAY, MAX_AGE - 1])('is read %i s after the sign-in', async (seconds) => {
    const site = await open(name, seconds)
    expect(await readBoth(site)).toEqual([ADA, ADA])
    await site.database.db.destroy()
  })

  test('is rewritten once, under our own name', async () => {
    const site = await open(name, 0)
    const before = sessionCookies(site)
    expect((await site.tab.session())?.user?.name).toBe(ADA)
    const own = sessionCookies(site)
    expect(own).not.toEqual(before)
    expect(own.join()).not.toContain('authjs')
    expect((await site.tab.session())?.user?.name).toBe(ADA)
    expect(sessionCookies(site)).toEqual(own)
    expect(await readBoth(site)).toEqual([ADA, ADA])
    expect(site.log.errors).toEqual([])
    await site.database.db.destroy()
  })

  test('has ended after its time', async () => {
    const site = await open(name, MAX_AGE + TOLERANCE + 1)
    expect(await readBoth(site)).toEqual([undefined, undefined])
    expect(await site.tab.session()).toBeNull()
    await site.database.db.destroy()
  })

  test('cannot be read with another secret', async () => {
    const site = await open(name, 0)
    const secret = 'the secret of another site, which opens nothing here'
    const isStored = nextAuthCase(name).isStored ?? false
    const [session] = await readBoth({ ...site, config: { ...site.config, secret } })
    // A token of a database session is not encrypted.
    expect(session).toBe(isStored ? ADA : undefined)
    await site.database.db.destroy()
  })
})

test('the user of a database signs in again as the same user', async () => {
  const site = await open('session in a database', MAX_AGE + TOLERANCE + 1)
  await site.signIn()
  expect((await site.tab.session())?.user?.name).toBe(ADA)
  const { rows } = await sql`select id from users`.execute(site.database.db)
  expect(rows).toHaveLength(1)
  await site.database.db.destroy()
})

test('a site that goes back to next-auth keeps its users', async () => {
  const site = await open('session in a database', 0)
  expect((await site.tab.session())?.user?.name).toBe(ADA)
  await site.signInWithNextAuth()
  const { rows } = await sql`select "userId" from accounts`.execute(site.database.db)
  const users = await sql`select id as "userId" from users`.execute(site.database.db)
  expect(rows).toEqual(users.rows)
  expect(rows).toHaveLength(1)
  await site.database.db.destroy()
})

// What `doctor --downgrade next-auth` says of sessions.
test.each([
  ['with the same cookie name are read', { sessionToken: { name: 'own-session' } }, false, ADA],
  ['with our cookie name are not read', {}, false, undefined],
  [
    'whose tokens are hashes are not read',
    { sessionToken: { name: 'own-session' } },
    true,
    undefined,
  ],
])(
  'after going back, sessions in the database %s',
  async (_name, cookies, hashTokens, expected) => {
    const database = await openDatabase('sqlite')
    await runAll(database, tablesOf('sqlite'))
    const op = await issuer({ algorithm: 'ES256' })
    const shared = { adapter: KyselyAdapter(database.db), cookies, secret: SECRET }
    const { config } = configFor(op, { ...shared, session: { strategy: 'database', hashTokens } })
    const tab = browser(config, { issuer: op })
    await tab.signIn('op')
    const url = new URL('/auth/session', tab.origin)
    const cookie = tab.cookies.header({ url, method: 'GET', initiator: 'same-site' }) ?? ''
    const before = { ...shared, trustHost: true, providers: [], session: { strategy: 'database' } }
    const request = new Request(url, { headers: { host: url.host, cookie } })
    const response = await NextAuth(request, before as unknown as NextAuthConfig)
    const session = (await response.json()) as { user?: { name?: string } } | null
    expect(session?.user?.name).toBe(expected)
    await database.db.destroy()
  },
)
