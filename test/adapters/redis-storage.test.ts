/** Keys in Redis, their expiry, and the cost of changes. */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import RedisAdapter from '../../src/adapters/redis.ts'
import { withDatabases } from './databases.ts'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

await withDatabases(['redis'], ({ redis: server }) => {
  const client = new Redis(server.url)
  const prefix = `${randomUUID()}:`
  const adapter = RedisAdapter(client, { prefix })
  afterAll(() => client.disconnect())

  const inAn = (time: number) => new Date(Date.now() + time)

  function newUser(fields: object = {}) {
    return adapter.createUser({
      id: randomUUID(),
      email: `${randomUUID()}@app.test`,
      emailVerified: null,
      ...fields,
    })
  }

  function newSession(userId: string, expires = inAn(DAY)) {
    return adapter.createSession({ sessionToken: randomUUID(), userId, expires })
  }

  const newToken = (identifier: string, time = DAY) => ({
    identifier,
    token: randomUUID(),
    expires: inAn(time),
  })

  const newAccount = (userId: string, fields: object = {}) =>
    ({ provider: 'p', providerAccountId: randomUUID(), userId, type: 'oidc', ...fields }) as const

  /** Time to live of a key, in milliseconds; -1: no expiry, -2: no such key. */
  const timeToLive = (key: string) => client.pttl(prefix + key)

  /** An adapter over the same rows, with counters of its commands and their characters. */
  function counted() {
    const cost = { commands: 0, characters: 0 }
    const call = async (command: string, ...args: string[]) => {
      cost.commands++
      cost.characters += args.join('').length
      return client.call(command, ...args)
    }
    return { cost, adapter: RedisAdapter({ call }, { prefix }) }
  }

  describe('the expiry of keys', () => {
    test('deletes the list of tokens with its last token', async () => {
      const identifier = `${randomUUID()}@app.test`
      for (const end of [2 * DAY, DAY])
        await adapter.createVerificationToken(newToken(identifier, end))
      const time = await timeToLive(`tokens:${identifier}`)
      expect(time).toBeGreaterThan(2 * DAY)
      expect(time).toBeLessThan(2 * DAY + 2 * HOUR)
    })

    test('deletes the list of sessions with its last session', async () => {
      const user = await newUser()
      const long = await newSession(user.id, inAn(2 * DAY))
      const short = await newSession(user.id)
      expect(await timeToLive(`sessions:${user.id}`)).toBeGreaterThan(2 * DAY)
      await adapter.deleteSession(long.sessionToken)
      expect(await timeToLive(`sessions:${user.id}`)).toBeLessThan(DAY + 2 * HOUR)
      await adapter.updateSession({ sessionToken: short.sessionToken, expires: inAn(3 * DAY) })
      expect(await timeToLive(`sessions:${user.id}`)).toBeGreaterThan(3 * DAY)
      await adapter.deleteUserSessions(user.id)
      expect(await timeToLive(`sessions:${user.id}`)).toBe(-2)
    })

    test('keeps the list of accounts without expiry', async () => {
      const user = await newUser()
      await adapter.linkAccount(newAccount(user.id))
      expect(await timeToLive(`accounts:${user.id}`)).toBe(-1)
    })

    test('removes expired sessions from the list when another is added', async () => {
      const user = await newUser()
      const { sessionToken } = await newSession(user.id)
      const list = `${prefix}sessions:${user.id}`
      await client.zadd(list, Date.now() - 2000, `session:${sessionToken}`)
      await newSession(user.id)
      expect(await client.zcard(list)).toBe(1)
    })

    test('leaves no keys when all tokens have expired, are used or deleted', async () => {
      const other = `${randomUUID()}:`
      const links = RedisAdapter(client, { prefix: other })
      const tokens = Array.from({ length: 1100 }, (_, at) => newToken(`${at}@app.test`))
      await Promise.all(tokens.map((token) => links.createVerificationToken(token)))
      const keys = await client.keys(`${other}*`)
      expect(keys).toHaveLength(2 * tokens.length + 1)
      for (const time of await Promise.all(keys.map((key) => client.pttl(key)))) {
        expect(time).toBeGreaterThan(DAY)
        expect(time).toBeLessThan(DAY + 2 * HOUR)
      }
      await links.deleteExpired(inAn(2 * DAY))
      expect(await client.keys(`${other}token:*`)).toEqual([])
      for (const token of tokens) await links.deleteVerificationTokens(token.identifier)
      for (const token of tokens.slice(0, 3)) await links.createVerificationToken(token)
      for (const token of tokens.slice(0, 2)) await links.useVerificationToken(token)
      await links.deleteVerificationTokens('2@app.test')
      expect(await client.keys(`${other}*`)).toEqual([])
    })

    test('rejects a session whose expiry is an invalid date', async () => {
      const user = await newUser()
      await expect(newSession(user.id, new Date(Number.NaN))).rejects.toThrow('date')
      expect(await adapter.listSessions(user.id)).toEqual([])
      expect(await client.keys(`${prefix}*${user.id}*`)).toEqual([`${prefix}user:${user.id}`])
    })
  })

  describe('concurrent calls', () => {
    const many = Array.from({ length: 250 }, () => randomUUID())

    test('create sessions of one user without retries', async () => {
      const user = await newUser()
      const { cost, adapter: watched } = counted()
      await Promise.all(
        many.map((sessionToken) =>
          watched.createSession({ sessionToken, userId: user.id, expires: inAn(DAY) }),
        ),
      )
      expect(await adapter.listSessions(user.id)).toHaveLength(many.length)
      expect(cost.commands).toBe(3 * many.length)
    })

    test('create tokens of one address without retries', async () => {
      const identifier = `${randomUUID()}@app.test`
      const { cost, adapter: watched } = counted()
      const tokens = many.map(() => newToken(identifier))
      await Promise.all(tokens.map((token) => watched.createVerificationToken(token)))
      expect(cost.commands).toBe(2 * many.length)
      await adapter.deleteVerificationTokens(identifier)
      expect(await client.keys(`${prefix}token*${identifier}*`)).toEqual([])
    })

    test('lose no update of one row', async () => {
      const user = await newUser()
      const { cost, adapter: watched } = counted()
      await Promise.all(many.map((field) => watched.updateUser({ id: user.id, [field]: true })))
      // About 5,000; without a pause between retries about 40,000.
      expect(cost.commands).toBeLessThan(20_000)
      const after: object | null = await adapter.getUser(user.id)
      expect(Object.keys(after ?? {})).toEqual(expect.arrayContaining(many))
    })

    test('cost the same however many sessions a user has', async () => {
      const user = await newUser()
      const costs: object[] = []
      for (const more of [1, 300]) {
        for (let at = 0; at < more; at++) await newSession(user.id)
        const { cost, adapter: watched } = counted()
        const sessionToken = randomUUID()
        await watched.createSession({ sessionToken, userId: user.id, expires: inAn(DAY) })
        await watched.updateSession({ sessionToken, expires: inAn(2 * DAY) })
        await watched.deleteSession(sessionToken)
        costs.push(cost)
      }
      expect(costs[1]).toEqual(costs[0])
    })

    test('fail a transaction whose list of accounts was changed by another client', async () => {
      const user = await newUser()
      const [existing, late] = [newAccount(user.id), newAccount(user.id)]
      await adapter.linkAccount(existing)
      const work = adapter.transaction(async (inner) => {
        for (const account of (await inner.listAccounts?.(user.id)) ?? [])
          await inner.unlinkAccount?.(account)
        await adapter.linkAccount(late)
      })
      await expect(work).rejects.toThrow('were changed by another client')
      expect(await adapter.listAccounts(user.id)).toHaveLength(2)
    })

    test('delete an account that is linked while its user is deleted', async () => {
      const user = await newUser()
      const account = newAccount(user.id)
      await adapter.transaction(async (inner) => {
        await inner.deleteUser?.(user.id)
        await adapter.linkAccount(account)
      })
      expect(await adapter.getAccount(account.providerAccountId, account.provider)).toBeNull()
    })

    test('do not hide the changes of a list from the transaction that makes them', async () => {
      const user = await newUser()
      const before = await newSession(user.id)
      await adapter.transaction(async (inner) => {
        const later = { sessionToken: randomUUID(), userId: user.id, expires: inAn(DAY) }
        await inner.createSession?.(later)
        await inner.deleteSession?.(before.sessionToken)
        expect(await inner.listSessions?.(user.id)).toEqual([later])
        await inner.deleteUserSessions?.(user.id)
        expect(await inner.listSessions?.(user.id)).toEqual([])
        expect(await inner.getSessionAndUser?.(later.sessionToken)).toBeNull()
        await inner.createSession?.(before)
      })
      expect(await adapter.listSessions(user.id)).toEqual([before])
    })
  })

  describe('clients and rows of applications', () => {
    test('work with the keyPrefix of ioredis', async () => {
      const prefixed = new Redis(server.url, { keyPrefix: `${randomUUID()}:` })
      const own = RedisAdapter(prefixed, { prefix })
      const user = await own.createUser({ id: '1', email: 'a@app.test', emailVerified: null })
      const session = { sessionToken: 's', userId: user.id, expires: inAn(-MINUTE) }
      await own.createSession(session)
      expect(await own.getUserByEmail(user.email)).toEqual(user)
      expect(await own.getSessionAndUser('s')).toEqual({ session, user })
      await own.deleteExpired()
      expect(await own.getSessionAndUser('s')).toBeNull()
      await own.createSession(session)
      await own.deleteUserSessions(user.id)
      expect(await own.getSessionAndUser('s')).toBeNull()
      prefixed.disconnect()
    })

    test('are read if Redis cannot decode a deeply nested row', async () => {
      let deep: object = {}
      for (let level = 0; level < 1100; level++) deep = { deep }
      const user = await newUser()
      const account = newAccount(user.id, { deep })
      await adapter.linkAccount(account)
      expect(await adapter.getUserByAccount(account)).toEqual(user)
    })

    test.each([
      { $date: 5 },
      { $date: 5, other: new Date(5) },
      { $$date: 5, $date: { $date: new Date(5) } },
      [{ $date: 'today' }],
    ])('keep a field that looks like an encoded date: %j', async (field) => {
      const user = await newUser({ field })
      expect(user).toHaveProperty('field', field)
      expect(await adapter.getUser(user.id)).toEqual(user)
    })
  })
})
