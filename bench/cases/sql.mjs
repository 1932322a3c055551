// Sessions and sign-ins in real databases, compared with peers over the same server; and the cost of reading a session by
// the number of sessions.
import { compare } from '../measure.mjs'
import { assert, cookiesOf } from '../setup.mjs'
import {
  limit,
  openPostgres,
  openSqlite,
  ours,
  withBetterAuth,
  withKyselyAdapter,
  withPgAdapter,
} from '../sql-sites.mjs'

const EMAIL = 'ada@example.com'

/** Caches the result of `open`. */
function once(open) {
  let opened
  return () => (opened ??= open())
}

async function sitesOver(open, makers) {
  const place = await open()
  const sites = []
  for (const make of makers) sites.push(await make(await place(make.name.toLowerCase())))
  return sites
}

/** Compares sites; `make` returns the contender of a site, given a session cookie. */
async function compareSites(sites, make, options) {
  const contenders = {}
  const statements = {}
  for (const site of sites) {
    const contender = make(site, await site.cookie())
    contenders[site.name] = {
      ...contender,
      async check() {
        // The first call prepares statements; the second one is counted.
        await contender.check()
        const { place } = site
        const before = place.statements
        await contender.check()
        statements[site.name] = place.statements - before
      },
    }
  }
  const results = await compare(contenders, options)
  for (const [name, count] of Object.entries(statements)) results[name].statements = count
  return results
}

function overRoute({ name, handle, ask }, cookie) {
  return {
    check: async () => {
      const body = await (await handle(ask(cookie))).json()
      assert(body?.user?.email === EMAIL, `${name}: wrong session`)
    },
    prepare: () => ask(cookie),
    run: handle,
  }
}

function headersWith(cookie) {
  return new Headers({ host: 'app.test', 'x-forwarded-proto': 'https', cookie })
}

function directly({ name, direct }, cookie) {
  const headers = headersWith(cookie)
  return {
    check: async () =>
      assert((await direct(headers))?.user?.email === EMAIL, `${name}: wrong session`),
    run: () => direct(headers),
  }
}

function existingUser({ name, signIn }) {
  return {
    check: async () => {
      const { response } = await signIn()
      const location = response.headers.get('location') ?? ''
      assert(response.status === 302 && !location.includes('error'), `${name}: the sign-in failed`)
      assert(/session.token=[^;]/.test(cookiesOf(response)), `${name}: no session`)
    },
    timed: async () => (await signIn()).time,
  }
}

const sqlite = once(() => sitesOver(openSqlite, [ours, withKyselyAdapter, withBetterAuth, limit]))
const postgres = once(() =>
  sitesOver(openPostgres, [ours, withKyselyAdapter, withPgAdapter, withBetterAuth, limit]),
)
const FEW = { rounds: 30, batch: 30 }

const ROWS = {
  sqlite: (count) => `
    insert into sessions ("sessionToken", "userId", expires)
    with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${count})
    select printf('%032d', i), 'ada', '2099-01-01T00:00:00.000Z' from numbers`,
  postgres: (count) => `
    insert into sessions ("sessionToken", "userId", expires)
    select lpad(i::text, 32, '0'), 'ada', '2099-01-01' from generate_series(1, ${count}) as i`,
}

/** Reads random sessions out of `count`. */
async function readRandomSession(count, place) {
  const { direct } = await ours(place)
  await place.execute(`insert into users (id, email) values ('ada', '${EMAIL}')`)
  await place.execute(ROWS[place.dialect](count))
  await place.execute('analyze')
  const any = () => {
    const token = String(1 + Math.floor(Math.random() * count)).padStart(32, '0')
    return headersWith(`__Host-lib.session-token=${token}`)
  }
  return {
    check: async () => assert((await direct(any()))?.user?.email === EMAIL, `one of ${count}`),
    prepare: any,
    run: direct,
  }
}

/** One of a million sessions; the limit is the same with a thousand. */
async function growth(open) {
  const place = await open()
  return compare({
    'lib-auth': await readRandomSession(1_000_000, await place('million')),
    limit: await readRandomSession(1000, await place('thousand')),
  })
}

export const cases = [
  {
    name: 'session in SQLite over Auth()',
    aim: { peer: 3, statements: 1 },
    run: async () => compareSites(await sqlite(), overRoute),
  },
  {
    name: 'session in SQLite, direct',
    aim: { peer: 10, statements: 1 },
    run: async () => compareSites(await sqlite(), directly),
  },
  {
    name: 'one of a million sessions in SQLite',
    aim: { limit: 0.8 },
    run: () => growth(openSqlite),
  },
  {
    name: 'session in PostgreSQL over Auth()',
    aim: { statements: 1 },
    run: async () => compareSites(await postgres(), overRoute, FEW),
  },
  {
    name: 'session in PostgreSQL, direct',
    aim: { statements: 1 },
    run: async () => compareSites(await postgres(), directly, FEW),
  },
  {
    name: 'sign-in of an existing user in PostgreSQL',
    aim: { statements: 4 },
    run: async () =>
      compareSites(
        (await postgres()).filter(({ signIn }) => signIn),
        existingUser,
        { rounds: 20, batch: 5 },
      ),
  },
  {
    name: 'one of a million sessions in PostgreSQL',
    aim: { limit: 0.8 },
    run: () => growth(openPostgres),
  },
]
