/** Sessions of `next-auth` 5, frozen like those of a release: the first predecessor of this library. */
import { vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import KyselyAdapter from '../../src/adapters/kysely.ts'
import { signInWithPeer } from '../cli/migrate-imports/next-auth-site.ts'
import type { SharedConfig } from '../cli/migrate-imports/next-auth-site.ts'
import { configFor } from '../config.ts'
import type { Log } from '../config.ts'
import { dumpRows, openDatabase, OPTIONS, runAll, tablesOf } from './databases.ts'
import type { FrozenDatabase } from './databases.ts'
import { CAPTURED_AT, setClock } from './frozen.ts'
import type { FrozenCase } from './frozen.ts'

const SECRETS = ['the newest', 'the oldest'].map(
  (name) => `${name} secret of the next-auth sites that were frozen`,
)
const [NEWEST = '', OLDEST = ''] = SECRETS

interface NextAuthCase {
  /** What the site of `next-auth` had. */
  readonly before?: SharedConfig
  /** What the migrated site has in another way. */
  readonly after?: Pick<AuthConfig, 'secret' | 'cookies'>
  readonly origin?: string
  readonly isStored?: boolean
}

const ofSize = (length: number): SharedConfig => ({ claims: { more: 'x'.repeat(length) } })
const both = (options: SharedConfig): NextAuthCase => ({ before: options, after: options })

export const NEXT_AUTH_CASES: Readonly<Record<string, NextAuthCase>> = {
  'session in one cookie': {},
  'session in two cookies': { before: ofSize(3000) },
  'session in three cookies': { before: ofSize(5500) },
  'session over http': { origin: 'http://localhost:3000' },
  'session of a domain': both({ cookies: { sessionToken: { options: { domain: 'app.test' } } } }),
  'session with a name of the application': both({
    cookies: { sessionToken: { name: 'own-session' } },
  }),
  'session of the oldest secret': { before: { secret: OLDEST }, after: { secret: SECRETS } },
  'session in a database': { isStored: true },
}

export function nextAuthCase(name: string): NextAuthCase {
  const found = NEXT_AUTH_CASES[name]
  if (found) return found
  throw new Error(`The case "${name}" of next-auth is gone. Cases stay until a major.`)
}

export interface MigratedSite {
  readonly config: AuthConfig
  readonly log: Log
  readonly tab: Browser
  /** Signs the user in once more, at the same provider. */
  readonly signIn: () => Promise<unknown>
  /** The same with `next-auth`, which has the same database. */
  readonly signInWithNextAuth: () => Promise<void>
  readonly database: FrozenDatabase
}

/** The migrated site. @param statements - tables and rows that the site of `next-auth` has left */
async function openSite(name: string, statements: readonly string[]): Promise<MigratedSite> {
  const { after = {}, origin = 'https://app.test', isStored } = nextAuthCase(name)
  const database = await openDatabase('sqlite')
  await runAll(database, statements)
  const adapter = isStored ? { adapter: KyselyAdapter(database.db, OPTIONS) } : {}
  const op = await issuer({ algorithm: 'ES256' })
  const options = { migrateSessions: true, secret: NEWEST, ...adapter, ...after }
  const { config, log } = configFor(op, options)
  const tab = browser(config, { issuer: op, origin })
  return {
    config,
    log,
    tab,
    database,
    signIn: () => tab.signIn('op'),
    signInWithNextAuth: () => signInWithPeer(tab, op, { secret: NEWEST, ...adapter }),
  }
}

export async function captureNextAuth(name: string): Promise<FrozenCase> {
  setClock(CAPTURED_AT)
  const { before = {}, isStored } = nextAuthCase(name)
  const site = await openSite(name, tablesOf('sqlite'))
  const { db } = site.database
  const adapter = isStored ? { adapter: KyselyAdapter(db, OPTIONS) } : {}
  const op = await issuer({ algorithm: 'ES256' })
  await signInWithPeer(site.tab, op, { secret: NEWEST, ...adapter, ...before })
  const rows = await dumpRows(site.database)
  await db.destroy()
  const session = site.tab.cookies.all().filter(({ name: each }) => /session/.test(each))
  vi.useRealTimers()
  return {
    cookies: Object.fromEntries(session.map((each) => [each.name, each.value])),
    kept: {},
    rows,
  }
}

/** The migrated site, so many seconds after the sign-in with `next-auth`. */
export async function openMigrated(
  name: string,
  { cookies, rows }: FrozenCase,
  { tables, at }: { readonly tables: readonly string[]; readonly at: number },
): Promise<MigratedSite> {
  setClock(at)
  const site = await openSite(name, [...tables, ...rows])
  for (const [cookie, value] of Object.entries(cookies)) site.tab.cookies.set(cookie, value)
  return site
}
