import { fault, folded, query, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const sessionFaults: readonly Fault[] = [
  fault(
    'createSession that returns nothing',
    'createSession returns what it stored',
    /^createSession: expected \{ userId: .*\}, got undefined/,
    (memory) => ({
      createSession: async (session) => untyped(void (await memory.createSession(session))),
    }),
  ),
  fault(
    'sessions whose end is a text',
    'createSession returns what it stored',
    /^getSessionAndUser, session, field expires: expected Date\(2037-02-03T04:05:06\.789Z\), got "2037/,
    (memory) => ({
      async getSessionAndUser(token) {
        const found = await memory.getSessionAndUser(token)
        if (!found) return null
        const { session, user } = found
        return { user, session: { ...session, expires: untyped(session.expires.toISOString()) } }
      },
    }),
  ),
  fault(
    'createSession that overwrites',
    'createSession refuses a token that is taken',
    /^createSession, with the token of another session: expected an error, got \{/,
    (memory) => ({
      async createSession(session) {
        await memory.deleteSession(session.sessionToken)
        return memory.createSession(session)
      },
    }),
  ),
  fault(
    'createSession that looks for the token first, and stores then',
    'createSession gives a token to one of many at once',
    /^createSession with the same token, 50 times at once: expected exactly one to succeed, got 50/,
    (memory) => ({
      async createSession(session) {
        if (await memory.getSessionAndUser(session.sessionToken)) throw new Error('duplicate key')
        await query()
        await memory.deleteSession(session.sessionToken)
        return memory.createSession(session)
      },
    }),
  ),
  fault(
    'a column for tokens that ignores case',
    'getSessionAndUser finds a session by the exact token',
    /^getSessionAndUser, with "S.*" when there is "s.*": expected null/,
    (memory) => ({ getSessionAndUser: async (token) => memory.getSessionAndUser(folded(token)) }),
  ),
  fault(
    'updateSession that changes all sessions of the user',
    'updateSession changes what is given, and leaves the rest',
    /^updateSession leaves other sessions, field expires/,
    (memory) => ({
      async updateSession(changes) {
        const found = await memory.getSessionAndUser(changes.sessionToken)
        for (const { sessionToken } of await memory.listSessions(found?.user.id ?? ''))
          await memory.updateSession({ ...changes, sessionToken })
        return null
      },
    }),
  ),
  fault(
    'updateSession that stores what is not there',
    'updateSession does not bring back a session that is gone',
    /^updateSession of a session that is gone, then getSessionAndUser: expected null, got \{/,
    (memory) => ({
      async updateSession(changes) {
        const updated = await memory.updateSession(changes)
        const { sessionToken, userId, expires } = changes
        if (updated || !userId || !expires) return updated
        return memory.createSession({ sessionToken, userId, expires })
      },
    }),
  ),
  fault(
    'deleteSession that ends all sessions of the user',
    'deleteSession ends one session',
    /^deleteSession leaves other sessions: expected \{.*\}, got undefined/,
    (memory) => ({
      async deleteSession(token) {
        const found = await memory.getSessionAndUser(token)
        if (found) await memory.deleteUserSessions(found.user.id)
      },
    }),
  ),
  fault(
    'deleteSession that fails when others do the same',
    'deleteSession ends a session, however many ask at once',
    /^deleteSession, many times at once: expected one call at least to succeed/,
    (memory) => {
      let running = 0
      return {
        async deleteSession(token) {
          running += 1
          await query()
          const alone = running === 1
          await query()
          running -= 1
          if (!alone) throw new Error('deadlock')
          return memory.deleteSession(token)
        },
      }
    },
  ),
  fault(
    'listSessions that leaves one out',
    'listSessions returns all sessions of a user',
    /^listSessions: expected \["s.*", "s.*"\], got \["s[^,]*"\]/,
    (memory) => ({ listSessions: async (id) => (await memory.listSessions(id)).slice(1) }),
  ),
  fault(
    'deleteUserSessions that ends one',
    'deleteUserSessions ends all sessions of a user',
    /^deleteUserSessions, then getSessionAndUser: expected null, got \{/,
    (memory) => ({
      async deleteUserSessions(id) {
        const [session] = await memory.listSessions(id)
        await memory.deleteSession(session?.sessionToken ?? '')
      },
    }),
  ),
  fault(
    'deleteExpired that ignores the time it is given',
    'deleteExpired deletes sessions that ended before, and no others',
    /^deleteExpired, then getSessionAndUser of a session that ended before: expected null, got \{/,
    (memory) => ({ deleteExpired: async () => memory.deleteExpired() }),
  ),
  fault(
    'deleteExpired that deletes everything',
    'deleteExpired goes by the clock if no time is given',
    /^deleteExpired without a time: expected a session that ends in an hour to stay, got null/,
    (memory) => ({ deleteExpired: async () => memory.deleteExpired(new Date('2199-01-01')) }),
  ),
]
