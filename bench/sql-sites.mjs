// The same site over one SQL database: with lib-auth, with @auth/core and its adapters, and with better-auth. Each has
// the tables of its documentation in a separate SQLite file or PostgreSQL schema.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Auth as PeerAuth, customFetch as peerFetch } from '@auth/core'
import { KyselyAdapter as PeerKyselyAdapter } from '@auth/kysely-adapter'
import PeerPgAdapter from '@auth/pg-adapter'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { genericOAuth } from 'better-auth/plugins'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Auth, getSession } from 'lib-auth'
import KyselyAdapter from 'lib-auth/adapters/kysely'
import Database from 'libsql'
import { Client, Pool } from 'pg'
import { createTables } from '../dist/cli/database/create-tables.js'
import { handleByHand, lookUpByHand } from './limit.mjs'
import { startPostgres } from '../tools/databases.mjs'
import {
  common,
  cookiesOf,
  op,
  openid,
  ORIGIN,
  request,
  SECRET,
  signInAtProvider,
} from './setup.mjs'

// better-auth has no option for a custom `fetch`.
const { fetch } = globalThis
globalThis.fetch = (input, init) =>
  String(input?.url ?? input).startsWith(op.url) ? op.fetch(input, init) : fetch(input, init)

const open = []

/** Closes every database, last opened first. */
export async function closeDatabases() {
  for (const close of open.splice(0).toReversed()) await close()
}

/** A place for tables: a Kysely instance, its pool, and the number of statements sent there. */
export async function openSqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-bench-'))
  open.push(() => rmSync(folder, { recursive: true }))
  return async (name) => {
    const file = new Database(join(folder, `${name}.db`))
    const place = { dialect: 'sqlite', statements: 0 }
    const database = {
      prepare(text) {
        place.statements++
        return file.prepare(text)
      },
      close: () => file.close(),
    }
    return Object.assign(place, {
      db: new Kysely({ dialect: new SqliteDialect({ database }) }),
      execute: (text) => file.exec(text),
    })
  }
}

export async function openPostgres() {
  const server = await startPostgres()
  const admin = new Pool({ connectionString: server.url, max: 1 })
  open.push(async () => {
    await admin.end()
    await server.end()
  })
  return async (name) => {
    await admin.query(`create schema "${name}"`)
    const place = { dialect: 'postgres', statements: 0 }
    class CountedClient extends Client {
      query(...args) {
        place.statements++
        return super.query(...args)
      }
    }
    const pool = new Pool({
      connectionString: server.url,
      options: `-c search_path="${name}"`,
      Client: CountedClient,
    })
    open.push(() => pool.end())
    return Object.assign(place, {
      pool,
      db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
      execute: (text) => pool.query(text),
    })
  }
}

/** The operations of every site. */
function createSite(name, place, { handle, direct, signIn, route = 'session', sessionCookie }) {
  return {
    name,
    place,
    direct,
    signIn,
    ask: (cookie) => request(route, { cookie }),
    handle,
    /** Signs in; returns the session cookie. */
    async cookie() {
      const { response } = await signIn()
      const pairs = cookiesOf(response).split('; ')
      return pairs.find((pair) => pair.startsWith(`${sessionCookie}=`))
    },
  }
}

async function makeTables({ db, dialect }, options = {}) {
  for (const { statement } of createTables({ dialect, ...options }))
    await sql.raw(statement).execute(db)
}

/** The same session, read by one compiled statement through the same client. */
export async function limit(place) {
  const own = await ours(place)
  const query = sql`select s.expires, u.name, u.email, u.image
    from sessions s join users u on u.id = s."userId" where s."sessionToken" = ${''}`.compile(
    place.db,
  )
  const byHand = {
    async getSessionAndUser(token) {
      const { rows } = await place.db.executeQuery({ ...query, parameters: [token] })
      const [{ expires, ...user }] = rows
      return { session: { expires: new Date(expires) }, user }
    },
  }
  const read = (cookies) => lookUpByHand(byHand, cookies)
  const site = createSite('limit', place, {
    handle: (incoming) => handleByHand(incoming, read),
    direct: (headers) => read(headers.get('cookie')),
  })
  return { ...site, cookie: () => own.cookie() }
}

export async function ours(place) {
  await makeTables(place)
  const adapter = KyselyAdapter(place.db)
  const config = { ...common, adapter, providers: [openid], fetch: op.fetch }
  const handle = (incoming) => Auth(incoming, config)
  return createSite('lib-auth', place, {
    handle,
    direct: async (headers) => (await getSession(headers, config)).session,
    signIn: () => signInAtProvider(handle),
    sessionCookie: '__Host-lib.session-token',
  })
}

function authCore(name, place, adapter) {
  const provider = { ...openid, [peerFetch]: op.fetch }
  const config = { ...common, adapter, providers: [provider], session: { strategy: 'database' } }
  const handle = (incoming) => PeerAuth(incoming, config)
  return createSite(name, place, {
    handle,
    // Its wrappers read a session through the session route.
    direct: async (headers) =>
      (await handle(request('session', { cookie: headers.get('cookie') ?? '' }))).json(),
    signIn: () => signInAtProvider(handle),
    sessionCookie: '__Secure-authjs.session-token',
  })
}

const CAPITALS = {
  users: 'User',
  accounts: 'Account',
  sessions: 'Session',
  verificationTokens: 'VerificationToken',
}

export async function withKyselyAdapter(place) {
  if (place.dialect === 'sqlite') {
    for (const { statement } of createTables({ dialect: 'sqlite', tables: CAPITALS }))
      await place.execute(
        statement.replace('"id" text not null', '"id" text default (lower(hex(randomblob(16))))'),
      )
  } else {
    await makeTables(place, { tables: CAPITALS, ids: 'uuid' })
    await place.execute('alter table "User" alter id set default gen_random_uuid()')
    for (const table of ['Account', 'Session'])
      await place.execute(`alter table "${table}" add id uuid not null default gen_random_uuid()`)
  }
  return authCore('@auth/core, kysely-adapter', place, PeerKyselyAdapter(place.db))
}

export async function withPgAdapter(place) {
  await place.execute(`
    create table users (id serial primary key, name text, email text, "emailVerified" timestamptz, image text);
    create table accounts (id serial primary key, "userId" integer not null, type text not null, provider text not null,
      "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint, id_token text,
      scope text, session_state text, token_type text);
    create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
      "sessionToken" text not null);
    create index on sessions ("sessionToken");
    create index on accounts (provider, "providerAccountId")`)
  return authCore('@auth/core, pg-adapter', place, PeerPgAdapter(place.pool))
}

export async function withBetterAuth(place) {
  const options = {
    baseURL: ORIGIN,
    basePath: '/auth',
    secret: SECRET,
    database: { db: place.db, type: place.dialect },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: 'op',
            discoveryUrl: `${op.url}/.well-known/openid-configuration`,
            clientId: op.clientId,
            clientSecret: op.clientSecret,
            scopes: ['openid', 'profile', 'email'],
            pkce: true,
          },
        ],
      }),
    ],
  }
  const { runMigrations } = await getMigrations(options)
  await runMigrations()
  const auth = betterAuth(options)
  return createSite('better-auth', place, {
    handle: (incoming) => auth.handler(incoming),
    direct: (headers) => auth.api.getSession({ headers }),
    route: 'get-session',
    sessionCookie: '__Secure-better-auth.session_token',
    async signIn() {
      const start = new Request(`${ORIGIN}/auth/sign-in/social`, {
        method: 'POST',
        headers: { host: 'app.test', origin: ORIGIN, 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'op', callbackURL: '/home' }),
      })
      const first = performance.now()
      const begun = await auth.handler(start)
      const { url: authorization } = await begun.json()
      const firstTime = performance.now() - first
      const { url } = await op.authorize(authorization)
      const back = new Request(url, { headers: { host: 'app.test', cookie: cookiesOf(begun) } })
      const second = performance.now()
      const response = await auth.handler(back)
      return { response, time: firstTime + performance.now() - second }
    },
  })
}
