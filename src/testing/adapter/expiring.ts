import { callEach, stepCases } from './case.ts'
import type { AdapterCase } from './case.ts'
import {
  BETWEEN,
  EARLY,
  LATER,
  lookalikes,
  newSession,
  newToken,
  tokenKey,
  unique,
} from './rows.ts'

const HOUR = 60 * 60 * 1000

const sessionCases = stepCases(2, {
  'createSession stores a session and returns the stored row': ({ user, session }) => [
    ['createSession', [session], { userId: user.id, expires: LATER }],
    ['getSessionAndUser', [session.sessionToken], { session, user }],
  ],
  'createSession throws for a token that already exists': ({ user, other, session }) => [
    ['createSession', [session]],
    ['createSession', [{ ...session, userId: other.id }], 'an error'],
    ['getSessionAndUser', [session.sessionToken], { user: { id: user.id } }],
  ],
  'getSessionAndUser matches the exact token only': ({ session }) => [
    ['createSession', [session]],
    ...callEach('getSessionAndUser', [unique(), ...lookalikes(session.sessionToken)], null),
  ],
  'updateSession changes the given fields of one session': ({ session, session2 }) => {
    const expires = new Date('2037-03-04T05:06:07.891Z')
    const { sessionToken } = session
    return [
      ...callEach('createSession', [session, session2]),
      ['updateSession', [{ sessionToken, expires }], { ...session, expires }],
      ['getSessionAndUser', [sessionToken], { session: { ...session, expires } }],
      ['getSessionAndUser', [session2.sessionToken], { session: session2 }],
    ]
  },
  'updateSession does not recreate a deleted session': ({ session }) => [
    ['createSession', [session]],
    ['deleteSession', [session.sessionToken]],
    ['updateSession', [session], 'preferably no error'],
    ['getSessionAndUser', [session.sessionToken], null],
  ],
  'deleteSession deletes one session': ({ session, session2 }) => [
    ...callEach('createSession', [session, session2]),
    ['deleteSession', [session.sessionToken], session],
    ['getSessionAndUser', [session.sessionToken], null],
    ['getSessionAndUser', [session2.sessionToken], { session: session2 }],
    ['deleteSession', [session.sessionToken], 'preferably no error'],
  ],
  'listSessions returns all sessions of a user': ({ user, session, session2, otherSession }) => {
    const sessions = [session, session2]
    return [
      ['listSessions', [user.id], []],
      ...callEach('createSession', [...sessions, otherSession]),
      ['listSessions', [user.id], sessions.map(({ sessionToken }) => ({ sessionToken }))],
    ]
  },
  'deleteUserSessions deletes all sessions of a user': (rows) => {
    const { user, session, session2, otherSession } = rows
    return [
      ...callEach('createSession', [session, session2, otherSession]),
      ['deleteUserSessions', [user.id]],
      ...callEach('getSessionAndUser', [session.sessionToken, session2.sessionToken], null),
      ['getSessionAndUser', [otherSession.sessionToken], { session: otherSession }],
      ['getUser', [user.id], user],
      ['deleteUserSessions', [user.id]],
    ]
  },
  'deleteExpired deletes sessions that expire before the given time': ({ user, session }) => {
    const expired = newSession(user.id, EARLY)
    return [
      ...callEach('createSession', [expired, session]),
      ['deleteExpired', [BETWEEN]],
      ['getSessionAndUser', [expired.sessionToken], null],
      ['getSessionAndUser', [session.sessionToken], { session }],
    ]
  },
  'deleteExpired uses the current time by default': ({ user: { id } }) => {
    const expired = newSession(id, new Date(Date.now() - HOUR))
    const kept = newSession(id, new Date(Date.now() + HOUR))
    return [
      ...callEach('createSession', [expired, kept]),
      ['deleteExpired', []],
      ['getSessionAndUser', [expired.sessionToken], null],
      ['getSessionAndUser', [kept.sessionToken], { user: { id } }],
    ]
  },
})

const tokenCases = stepCases(0, {
  'useVerificationToken returns a token once': ({ token }) => [
    ['createVerificationToken', [token]],
    ['useVerificationToken', [tokenKey(token)], token],
    ['useVerificationToken', [tokenKey(token)], null],
  ],
  'useVerificationToken returns null for an unknown token': ({ token }) => [
    ['useVerificationToken', [tokenKey(token)], null],
  ],
  'useVerificationToken matches identifier and token': ({ token, otherToken }) => [
    ...callEach('createVerificationToken', [token, otherToken]),
    ['useVerificationToken', [{ ...tokenKey(token), identifier: otherToken.identifier }], null],
    ['useVerificationToken', [{ ...tokenKey(token), token: unique() }], null],
    // Otherwise an attacker could invalidate the magic link of another user.
    ['useVerificationToken', [tokenKey(token)], token],
  ],
  'useVerificationToken keeps the other tokens of the identifier': ({ token, token2 }) => [
    ...callEach('createVerificationToken', [token, token2]),
    ['useVerificationToken', [tokenKey(token2)], token2],
    ['useVerificationToken', [tokenKey(token)], token],
  ],
  'createVerificationToken stores long identifiers and Unicode': () => {
    const odd = newToken(`o'${unique()}+tag_%@zoë.example`)
    const long = newToken(`${unique()}@${'long.'.repeat(42)}example`)
    return [
      ...callEach('createVerificationToken', [odd, long]),
      ['useVerificationToken', [tokenKey(odd)], odd],
      ['useVerificationToken', [tokenKey(long)], long],
    ]
  },
  'createVerificationToken stores a used token again': ({ token }) => [
    ['createVerificationToken', [token]],
    ['useVerificationToken', [tokenKey(token)], token],
    ['createVerificationToken', [token]],
    ['useVerificationToken', [tokenKey(token)], token],
  ],
  'deleteVerificationTokens deletes all tokens of an identifier': ({
    token,
    token2,
    otherToken,
  }) => [
    ...callEach('createVerificationToken', [token, token2, otherToken]),
    ['deleteVerificationTokens', [token.identifier]],
    ...callEach('useVerificationToken', [tokenKey(token), tokenKey(token2)], null),
    ['useVerificationToken', [tokenKey(otherToken)], otherToken],
    ['deleteVerificationTokens', [token.identifier]],
  ],
  'deleteExpired deletes tokens that expire before the given time': ({ token }) => {
    const expired = { ...newToken(), expires: EARLY }
    return [
      ...callEach('createVerificationToken', [expired, token]),
      ['deleteExpired', [BETWEEN]],
      ['useVerificationToken', [tokenKey(expired)], null],
      ['useVerificationToken', [tokenKey(token)], token],
    ]
  },
})

export const expiringCases: readonly AdapterCase[] = [...sessionCases, ...tokenCases]
