import { fault, folded, delay, untyped } from './fault.ts'
import type { Fault } from './fault.ts'

export const sessionFaults: readonly Fault[] = [
  fault(
    'createSession returning undefined',
    'createSession stores a session and returns the stored row',
    /^createSession\(\{ .* \}\) after createUser: expected \{ userId: .*\}, got undefined/,
    (memory) => ({
      createSession: async (session) => untyped(void (await memory.createSession(session))),
    }),
  ),
  fault(
    'expires returned as a string',
    'createSession stores a session and returns the stored row',
    /^getSessionAndUser\(".*"\) after createSession, field session, field expires: expected Date\(2037-02-03T04:05:06\.789Z\), got "2037/,
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
    'createSession overwriting an existing session',
    'createSession throws for a token that already exists',
    /^createSession\(\{ .* \}\) after createSession: expected an error, got \{/,
    (memory) => ({
      async createSession(session) {
        await memory.deleteSession(session.sessionToken)
        return memory.createSession(session)
      },
    }),
  ),
  fault(
    'createSession with a race condition between lookup and insert',
    'createSession stores a token in one of fifty concurrent calls',
    /^createSession, 50 concurrent calls: expected exactly one to succeed, got 50/,
    (memory) => ({
      async createSession(session) {
        if (await memory.getSessionAndUser(session.sessionToken)) throw new Error('duplicate key')
        await delay()
        await memory.deleteSession(session.sessionToken)
        return memory.createSession(session)
      },
    }),
  ),
  fault(
    'a sessionToken column that ignores case',
    'getSessionAndUser matches the exact token only',
    /^getSessionAndUser\("S.*"\) after createSession: expected null, got \{/,
    (memory) => ({ getSessionAndUser: async (token) => memory.getSessionAndUser(folded(token)) }),
  ),
  fault(
    'updateSession changing all sessions of the user',
    'updateSession changes the given fields of one session',
    /^getSessionAndUser\(".*"\) after updateSession, field session, field expires: expected Date\(2037-02/,
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
    'updateSession recreating a deleted session',
    'updateSession does not recreate a deleted session',
    /^getSessionAndUser\(".*"\) after updateSession: expected null, got \{/,
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
    'deleteSession deleting all sessions of the user',
    'deleteSession deletes one session',
    /^getSessionAndUser\(".*"\) after deleteSession: expected \{.*\}, got null/,
    (memory) => ({
      async deleteSession(token) {
        const found = await memory.getSessionAndUser(token)
        if (found) await memory.deleteUserSessions(found.user.id)
      },
    }),
  ),
  fault(
    'deleteSession failing in every concurrent call',
    'deleteSession deletes one session in fifty concurrent calls',
    /^deleteSession, 50 concurrent calls: expected at least one to succeed/,
    (memory) => {
      let running = 0
      return {
        async deleteSession(token) {
          running += 1
          await delay()
          const alone = running === 1
          await delay()
          running -= 1
          if (!alone) throw new Error('deadlock')
          return memory.deleteSession(token)
        },
      }
    },
  ),
  fault(
    'listSessions omitting a session',
    'listSessions returns all sessions of a user',
    /^listSessions\(".*"\) after createSession: expected \[\{ sessionToken: "s.*" \}, \{ sessionToken: "s.*" \}\], got \[\{[^{]*\]/,
    (memory) => ({ listSessions: async (id) => (await memory.listSessions(id)).slice(1) }),
  ),
  fault(
    'deleteUserSessions deleting only one session',
    'deleteUserSessions deletes all sessions of a user',
    /^getSessionAndUser\(".*"\) after deleteUserSessions: expected null, got \{/,
    (memory) => ({
      async deleteUserSessions(id) {
        const [session] = await memory.listSessions(id)
        await memory.deleteSession(session?.sessionToken ?? '')
      },
    }),
  ),
  fault(
    'deleteExpired ignoring the given time',
    'deleteExpired deletes sessions that expire before the given time',
    /^getSessionAndUser\(".*"\) after deleteExpired: expected null, got \{/,
    (memory) => ({ deleteExpired: async () => memory.deleteExpired() }),
  ),
  fault(
    'deleteExpired deleting valid sessions',
    'deleteExpired uses the current time by default',
    /^getSessionAndUser\(".*"\) after deleteExpired: expected \{ user: .*\}, got null/,
    (memory) => ({ deleteExpired: async () => memory.deleteExpired(new Date('2199-01-01')) }),
  ),
]
