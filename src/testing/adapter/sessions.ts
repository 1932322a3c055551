import { adapterCase } from './case.ts'
import type { AdapterCase } from './case.ts'
import {
  expectKeys,
  expectNull,
  expectRow,
  expectThrow,
  expectValue,
  fail,
  preferNoThrow,
} from './expect.ts'
import { LATER, lookalikes, newSession, newUser, twoUsers, unique } from './rows.ts'

/** Before and after {@link BETWEEN}; the rows of other cases expire later. */
const EARLY = new Date('2035-01-01T00:00:00.000Z')
const BETWEEN = new Date('2036-01-01T00:00:00.000Z')

export const sessionCases: readonly AdapterCase[] = [
  adapterCase(
    'createSession returns what it stored',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const created = await adapter.createSession(newSession(user.id))
      const expected = { userId: user.id, expires: LATER }
      expectRow('createSession', created, expected)
      const found = await adapter.getSessionAndUser(created.sessionToken)
      expectRow('getSessionAndUser, session', found?.session, created)
      expectRow('getSessionAndUser, user', found?.user, user)
    },
  ),
  adapterCase(
    'createSession refuses a token that is taken',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const [owner, other] = await twoUsers(adapter)
      const session = newSession(owner.id)
      await adapter.createSession(session)
      await expectThrow('createSession, with the token of another session', () =>
        adapter.createSession({ ...session, userId: other.id }),
      )
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectValue('createSession with a token twice changes the user', found?.user.id, owner.id)
    },
  ),
  adapterCase(
    'getSessionAndUser finds a session by the exact token',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const { sessionToken } = newSession(user.id)
      await adapter.createSession({ userId: user.id, sessionToken, expires: LATER })
      for (const token of [unique(), ...lookalikes(sessionToken)])
        expectNull(
          `getSessionAndUser, with "${token}" when there is "${sessionToken}"`,
          await adapter.getSessionAndUser(token),
        )
    },
  ),
  adapterCase(
    'updateSession changes what is given, and leaves the rest',
    ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [session, other] = [newSession(user.id), newSession(user.id)]
      await adapter.createSession(session)
      await adapter.createSession(other)
      const expires = new Date('2037-03-04T05:06:07.891Z')
      const { sessionToken } = session
      const updated = await adapter.updateSession({ sessionToken, expires })
      const expected = { ...session, expires }
      if (updated) expectRow('updateSession returns the session', updated, expected)
      const found = await adapter.getSessionAndUser(sessionToken)
      expectRow('updateSession, with expires only', found?.session, expected)
      const untouched = await adapter.getSessionAndUser(other.sessionToken)
      expectRow('updateSession leaves other sessions', untouched?.session, other)
    },
  ),
  adapterCase(
    'updateSession does not bring back a session that is gone',
    ['createUser', 'createSession', 'updateSession', 'deleteSession', 'getSessionAndUser'],
    async (adapter, report) => {
      const user = await adapter.createUser(newUser())
      const session = newSession(user.id)
      await adapter.createSession(session)
      await adapter.deleteSession(session.sessionToken)
      const update = () => adapter.updateSession(session)
      await preferNoThrow('updateSession, of a session that is gone', update, report)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectNull('updateSession of a session that is gone, then getSessionAndUser', found)
    },
  ),
  adapterCase(
    'deleteSession ends one session',
    ['createUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async (adapter, report) => {
      const user = await adapter.createUser(newUser())
      const [session, kept] = [newSession(user.id), newSession(user.id)]
      await adapter.createSession(session)
      await adapter.createSession(kept)
      const deleted = await adapter.deleteSession(session.sessionToken)
      if (deleted) expectRow('deleteSession returns the session', deleted, session)
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectNull('deleteSession, then getSessionAndUser', found)
      const other = await adapter.getSessionAndUser(kept.sessionToken)
      expectRow('deleteSession leaves other sessions', other?.session, kept)
      const again = () => adapter.deleteSession(session.sessionToken)
      await preferNoThrow('deleteSession, of a session that is gone', again, report)
    },
  ),
  adapterCase(
    'listSessions returns all sessions of a user',
    ['createUser', 'createSession', 'listSessions'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      const none = await adapter.listSessions(user.id)
      expectKeys('listSessions, of a user without any', none, 'sessionToken', [])
      const sessions = [newSession(user.id), newSession(user.id)]
      for (const session of [...sessions, newSession(other.id)])
        await adapter.createSession(session)
      const expected = sessions.map(({ sessionToken }) => sessionToken)
      expectKeys('listSessions', await adapter.listSessions(user.id), 'sessionToken', expected)
    },
  ),
  adapterCase(
    'deleteUserSessions ends all sessions of a user',
    ['createUser', 'getUser', 'createSession', 'deleteUserSessions', 'getSessionAndUser'],
    async (adapter) => {
      const [user, other] = await twoUsers(adapter)
      const sessions = [newSession(user.id), newSession(user.id)]
      const kept = newSession(other.id)
      for (const session of [...sessions, kept]) await adapter.createSession(session)
      await adapter.deleteUserSessions(user.id)
      for (const { sessionToken } of sessions)
        expectNull(
          'deleteUserSessions, then getSessionAndUser',
          await adapter.getSessionAndUser(sessionToken),
        )
      const found = await adapter.getSessionAndUser(kept.sessionToken)
      expectRow('deleteUserSessions leaves the sessions of others', found?.session, kept)
      expectRow('deleteUserSessions leaves the user', await adapter.getUser(user.id), user)
      await adapter.deleteUserSessions(user.id)
    },
  ),
  adapterCase(
    'deleteExpired deletes sessions that ended before, and no others',
    ['createUser', 'createSession', 'getSessionAndUser', 'deleteExpired'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const [over, kept] = [newSession(user.id, EARLY), newSession(user.id)]
      await adapter.createSession(over)
      await adapter.createSession(kept)
      await adapter.deleteExpired(BETWEEN)
      expectNull(
        'deleteExpired, then getSessionAndUser of a session that ended before',
        await adapter.getSessionAndUser(over.sessionToken),
      )
      const found = await adapter.getSessionAndUser(kept.sessionToken)
      expectRow('deleteExpired leaves sessions that end later', found?.session, kept)
    },
  ),
  adapterCase(
    'deleteExpired goes by the clock if no time is given',
    ['createUser', 'createSession', 'getSessionAndUser', 'deleteExpired'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const hour = 60 * 60 * 1000
      const over = newSession(user.id, new Date(Date.now() - hour))
      const kept = newSession(user.id, new Date(Date.now() + hour))
      await adapter.createSession(over)
      await adapter.createSession(kept)
      await adapter.deleteExpired()
      const left = await adapter.getSessionAndUser(over.sessionToken)
      expectNull('deleteExpired without a time, then getSessionAndUser', left)
      if (!(await adapter.getSessionAndUser(kept.sessionToken)))
        fail('deleteExpired without a time', 'a session that ends in an hour to stay', null)
    },
  ),
]
