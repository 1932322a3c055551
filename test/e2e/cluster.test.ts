/** Three processes behind nginx act as one site, even if one of them fails. */
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { withDatabase } from '../../src/cli/database/connect.ts'
import { startCluster } from '../../tools/cluster.mjs'
import { findNginx, findPostgres, findRedis } from '../services.ts'
import { openVisitor } from './cluster-visitor.ts'
import type { ClusterVisitor } from './cluster-visitor.ts'

const services = [await findNginx(), await findPostgres(), await findRedis()]

/** The stored users with their accounts, in order. */
function accountsOf(database: string, start: string): Promise<[string, string | null][]> {
  return withDatabase(database, async ({ db }) => {
    const { rows } = await sql<{ email: string; account: string | null }>`
      select u.email, a."providerAccountId" as account
      from users u left join accounts a on a."userId" = u.id
      where u.email like ${`${start}%`} order by u.email, account`.execute(db)
    return rows.map(({ email, account }) => [email, account])
  })
}

/** Sessions and accounts without a user. */
function orphans(database: string): Promise<number> {
  return withDatabase(database, async ({ db }) => {
    const { rows } = await sql`
      select "userId" from (select "userId" from sessions union all select "userId" from accounts) as rows
      where "userId" not in (select id from users)`.execute(db)
    return rows.length
  })
}

/** The status of the response, or the code of a connection error. */
function statusOf(port: number, agent?: Agent): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    // A cookie that requires a session lookup.
    const headers = { cookie: 'lib.session-token=unknown' }
    const sent = request({ host: '127.0.0.1', port, path: '/', agent, headers }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode))
    })
    sent.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    sent.end()
  })
}

describe.skipIf(services.includes(null))('a site with several processes', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let first: number
  let second: number
  let third: number
  let everywhere: (number | undefined)[]

  beforeAll(async () => {
    cluster = await startCluster()
    ;[first, second, third] = cluster.servers.map(({ port }) => port)
    everywhere = [first, second, third, undefined]
  })
  afterAll(() => cluster?.stop())

  /** Suspends a process, and returns a request that waits for it: on a busy machine it may not have received one. */
  async function suspend(pid: number): Promise<{ readonly status: ReturnType<typeof statusOf> }> {
    process.kill(pid, 'SIGSTOP')
    for (;;) {
      const status = statusOf(Number(new URL(cluster.url).port))
      const isHeld = await Promise.race([status.then(() => false), wait(1000, true)])
      if (isHeld) return { status }
    }
  }

  const open = (login: string) => openVisitor(cluster, login)
  const emailsOf = (who: ClusterVisitor) =>
    Promise.all(everywhere.map((port) => who.currentEmail(port)))

  async function expectSignedIn(who: ClusterVisitor): Promise<void> {
    expect(await emailsOf(who)).toEqual(everywhere.map(() => who.email))
  }

  async function expectSignedOut(who: ClusterVisitor): Promise<void> {
    expect(await emailsOf(who)).toEqual(everywhere.map(() => null))
  }

  test('shares a sign-in and a sign-out between all processes', async () => {
    const ada = open('ada')
    const { location } = await ada.signIn(first)
    expect(location?.href).toBe(`${cluster.url}/`)
    await expectSignedIn(ada)
    expect((await ada.open(cluster.url)).text).toContain('Hello, Ada Lovelace.')
    await ada.signOut(third)
    await expectSignedOut(ada)
    expect((await ada.open(cluster.url)).text).toContain('>Sign in<')
  })

  test('completes a sign-in on another process than the one that began it', async () => {
    const alan = open('alan')
    const back = await alan.begin(second)
    await alan.open(back, third)
    await expectSignedIn(alan)
  })

  test('creates one user for concurrent first sign-ins on three processes', async () => {
    const browsers = [open('triplet'), open('triplet'), open('triplet')]
    const callbacks = await Promise.all(browsers.map((each) => each.begin()))
    await Promise.all(browsers.map((each, at) => each.open(callbacks[at] ?? '', everywhere[at])))
    for (const each of browsers) await expectSignedIn(each)
    expect(await accountsOf(cluster.database, 'triplet')).toEqual([
      ['triplet@example.com', 'triplet'],
    ])
  })

  test('accepts a magic link once, on another process than the one that sent it', async () => {
    const grace = open('grace')
    const link = await grace.requestLink(first)
    await grace.followLink(link, second)
    await expectSignedIn(grace)
    for (const port of everywhere) {
      const other = open('grace')
      const { location } = await other.followLink(link, port)
      expect(location?.search).toBe('?error=Verification')
      await expectSignedOut(other)
    }
  })

  test('accepts one of two concurrent uses of a magic link on two processes', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const [requester, other] = [open(`racer-${round}`), open(`racer-${round}`)]
      const link = await requester.requestLink(third)
      await Promise.all([requester.followLink(link, first), other.followLink(link, second)])
      const signedIn = [await requester.currentEmail(), await other.currentEmail()].filter(Boolean)
      expect(signedIn).toEqual([requester.email])
    }
  })

  test('loses no sign-in if a process is killed and restarted', async () => {
    const visitors = Array.from({ length: 20 }, (_, at) => open(`person-${at + 10}`))
    const [returning, others] = [visitors.slice(0, 14), visitors.slice(14)]
    const callbacks = await Promise.all(returning.map((who) => who.begin()))
    /** Whether the response reported a successful sign-in. */
    const isDone = async (sign: Promise<{ location: URL | undefined }>): Promise<boolean> => {
      try {
        return (await sign).location?.href === `${cluster.url}/`
      } catch {
        return false
      }
    }
    const pending = [
      ...returning.map((who, at) => isDone(who.open(callbacks[at] ?? ''))),
      ...others.map((who) => isDone(who.signIn())),
    ]
    await Promise.race(pending)
    const held = await suspend(cluster.servers[1]?.pid())
    await cluster.servers[1]?.stop('SIGKILL')
    // At once: the output keeps its end only, and each later request to the process adds a line.
    const interrupted = /prematurely closed|reset by peer/
    await vi.waitFor(() => expect(cluster.nginxErrors()).toMatch(interrupted), {
      interval: 5,
      timeout: 60_000,
    })
    const reported = await Promise.all(pending)
    expect(await held.status).toBe(200)

    for (const [at, who] of visitors.entries()) {
      if (reported[at]) continue
      const { location } = await who.signIn()
      expect(location?.href).toBe(`${cluster.url}/`)
    }
    for (const who of visitors) expect(await who.currentEmail()).toBe(who.email)
    expect(await accountsOf(cluster.database, 'person-')).toEqual(
      visitors.map(({ email, login }) => [email, login]),
    )
    expect(await orphans(cluster.database)).toBe(0)

    await cluster.servers[1]?.start()
    for (const who of visitors.slice(0, 3)) await expectSignedIn(who)
    const newcomer = open('newcomer')
    await newcomer.signIn(second)
    await expectSignedIn(newcomer)
  })

  test('stops a process on SIGTERM while clients keep their connections busy', async () => {
    const [, , last] = cluster.servers
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    onTestFinished(() => agent.destroy())
    const statuses: (number | undefined)[] = []
    const busy = Array.from({ length: 20 }, async () => {
      for (;;) {
        const status = await statusOf(third, agent)
        if (status === 'ECONNREFUSED') return
        if (typeof status === 'number') statuses.push(status)
      }
    })
    await wait(500)
    // A process that had to be killed has another exit code.
    const exited = last?.gone()
    await last?.stop('SIGTERM')
    expect(await exited).toBe(0)
    await Promise.all(busy)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await last?.start()
  })

  test('rotates the secret with three rolling restarts and keeps all sessions', async () => {
    const { secret: old, servers } = cluster
    const newSecret = 'another secret, of thirty-two bytes and more'
    const [ada, alan, grace] = [open('ada'), open('alan'), open('grace')]
    await ada.signIn()
    const early = await alan.begin()
    const link = await grace.requestLink()
    const answers: (string | null)[] = []
    const stopping = new AbortController()
    onTestFinished(() => stopping.abort())
    const watched = (async () => {
      while (!stopping.signal.aborted) {
        answers.push(await ada.currentEmail())
        await wait(50)
      }
    })()

    const restart = async (env: Record<string, string>, ...which: number[]) => {
      await Promise.all(which.map((each) => servers[each]?.stop()))
      await Promise.all(which.map((each) => servers[each]?.start(env)))
    }
    // All processes accept the new secret before one of them uses it.
    const acceptingNew = { AUTH_SECRET_1: old, AUTH_SECRET: newSecret }
    await restart(acceptingNew, 0, 1)
    await restart(acceptingNew, 2)
    const usingNew = { AUTH_SECRET_1: newSecret, AUTH_SECRET: old }
    await restart(usingNew, 0)
    const [forth, back] = [open('forth'), open('back')]
    await forth.open(await forth.begin(first), second)
    await back.open(await back.begin(second), first)
    await restart(usingNew, 1, 2)
    await alan.open(early)
    await grace.followLink(link)
    const onlyNew = { AUTH_SECRET: newSecret }
    await restart(onlyNew, 0, 1)
    await restart(onlyNew, 2)

    stopping.abort()
    await watched
    expect(new Set(answers)).toEqual(new Set([ada.email]))
    for (const who of [ada, alan, grace, forth, back]) await expectSignedIn(who)
  })
})
