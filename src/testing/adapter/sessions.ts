import { adapterCase, callEach, runSteps, stepCase } from './case.ts'
import type { AdapterCase, Step } from './case.ts'
import { expectMatch } from './expect.ts'
import { LATER, lookalikes, newSession, newUser, unique } from './rows.ts'

const HOUR = 60 * 60 * 1000

/** Before and after {@link BETWEEN}; the rows of other cases expire later. */
export const EARLY: Date = new Date('2035-01-01T00:00:00.000Z')
export const BETWEEN: Date = new Date('2036-01-01T00:00:00.000Z')

export const sessionCases: readonly AdapterCase[] = [
  adapterCase(
    'createSession stores a session and returns the stored row',
    ['createUser', 'createSession', 'getSessionAndUser'],
    async (adapter) => {
      const user = await adapter.createUser(newUser())
      const session = await adapter.createSession(newSession(user.id))
      expectMatch('createSession', session, { userId: user.id, expires: LATER })
      const found: Step = ['getSessionAndUser', [session.sessionToken], { session, user }]
      await runSteps(adapter, [found], { after: 'createSession' })
    },
  ),
  stepCase('createSession throws for a token that already exists', 2, (owner, other) => {
    const session = newSession(owner.id)
    return [
      ['createSession', [session]],
      ['createSession', [{ ...session, userId: other.id }], 'an error'],
      ['getSessionAndUser', [session.sessionToken], { user: { id: owner.id } }],
    ]
  }),
  stepCase('getSessionAndUser matches the exact token only', 1, (user) => {
    const session = newSession(user.id)
    return [
      ['createSession', [session]],
      ...callEach('getSessionAndUser', [unique(), ...lookalikes(session.sessionToken)], null),
    ]
  }),
  stepCase('updateSession changes the given fields of one session', 1, (user) => {
    const [session, other] = [newSession(user.id), newSession(user.id)]
    const expires = new Date('2037-03-04T05:06:07.891Z')
    const { sessionToken } = session
    return [
      ...callEach('createSession', [session, other]),
      ['updateSession', [{ sessionToken, expires }], { ...session, expires }],
      ['getSessionAndUser', [sessionToken], { session: { ...session, expires } }],
      ['getSessionAndUser', [other.sessionToken], { session: other }],
    ]
  }),
  stepCase('updateSession does not recreate a deleted session', 1, (user) => {
    const session = newSession(user.id)
    return [
      ['createSession', [session]],
      ['deleteSession', [session.sessionToken]],
      ['updateSession', [session], 'preferably no error'],
      ['getSessionAndUser', [session.sessionToken], null],
    ]
  }),
  stepCase('deleteSession deletes one session', 1, (user) => {
    const [session, kept] = [newSession(user.id), newSession(user.id)]
    return [
      ...callEach('createSession', [session, kept]),
      ['deleteSession', [session.sessionToken], session],
      ['getSessionAndUser', [session.sessionToken], null],
      ['getSessionAndUser', [kept.sessionToken], { session: kept }],
      ['deleteSession', [session.sessionToken], 'preferably no error'],
    ]
  }),
  stepCase('listSessions returns all sessions of a user', 2, (user, other) => {
    const sessions = [newSession(user.id), newSession(user.id)]
    return [
      ['listSessions', [user.id], []],
      ...callEach('createSession', [...sessions, newSession(other.id)]),
      ['listSessions', [user.id], sessions.map(({ sessionToken }) => ({ sessionToken }))],
    ]
  }),
  stepCase('deleteUserSessions deletes all sessions of a user', 2, (user, other) => {
    const [first, second, kept] = [newSession(user.id), newSession(user.id), newSession(other.id)]
    return [
      ...callEach('createSession', [first, second, kept]),
      ['deleteUserSessions', [user.id]],
      ...callEach('getSessionAndUser', [first.sessionToken, second.sessionToken], null),
      ['getSessionAndUser', [kept.sessionToken], { session: kept }],
      ['getUser', [user.id], user],
      ['deleteUserSessions', [user.id]],
    ]
  }),
  stepCase('deleteExpired deletes sessions that expire before the given time', 1, (user) => {
    const [expired, kept] = [newSession(user.id, EARLY), newSession(user.id)]
    return [
      ...callEach('createSession', [expired, kept]),
      ['deleteExpired', [BETWEEN]],
      ['getSessionAndUser', [expired.sessionToken], null],
      ['getSessionAndUser', [kept.sessionToken], { session: kept }],
    ]
  }),
  stepCase('deleteExpired uses the current time by default', 1, (user) => {
    const expired = newSession(user.id, new Date(Date.now() - HOUR))
    const kept = newSession(user.id, new Date(Date.now() + HOUR))
    return [
      ...callEach('createSession', [expired, kept]),
      ['deleteExpired', []],
      ['getSessionAndUser', [expired.sessionToken], null],
      ['getSessionAndUser', [kept.sessionToken], { user: { id: user.id } }],
    ]
  }),
]
