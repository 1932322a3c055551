/** A session that is never extended ends while it is used: development and `doctor` say so. */
import { afterEach, expect, test, vi } from 'vitest'
import { browser } from '../../../src/testing/index.ts'
import { passwordConfig, silentLog, TYPED } from '../../config.ts'
import { until } from '../../sessions.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

const HOUR = 60 * 60

/** What development warns of, after the last warning of the configuration; and whether a session outlives its `maxAge` in use. */
async function use(session: object) {
  vi.stubEnv('NODE_ENV', 'development')
  const { log, logger } = silentLog()
  const { config } = passwordConfig({ logger, session })
  const own: object = { ...config, nonsense: true }
  const site = browser(own)
  await site.post('callback/password', TYPED)
  await until(() => log.lines.some(([, code]) => code === 'unknown-option'))
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let minutes = 0; minutes <= 90; minutes += 15) {
    vi.setSystemTime(Date.now() + 15 * 60 * 1000)
    await site.session()
  }
  const line = log.lines.find(([, code]) => code === 'session-not-extended')
  return { warning: line?.[2], isSignedIn: (await site.session()) !== null }
}

test.each([
  ['is as long as maxAge', { maxAge: HOUR, updateAge: HOUR }],
  ['is that of next-auth, with a short maxAge', { maxAge: HOUR, updateAge: 24 * HOUR }],
])('an updateAge that %s is reported, and the session ends', async (_name, session) => {
  const { warning, isSignedIn } = await use(session)
  expect(warning).toBe(
    `session.updateAge (${session.updateAge} seconds) is not lower than session.maxAge (3600 seconds), so sessions are never extended, and end while they are used. Set a lower updateAge, or Infinity if that is intended.`,
  )
  expect(isSignedIn).toBe(false)
})

test.each([
  ['lower than maxAge', { maxAge: HOUR, updateAge: HOUR }, HOUR / 2, true],
  ['maxAge', { maxAge: HOUR, updateAge: HOUR }, HOUR, false],
  ['not higher than updateAge', { maxAge: HOUR / 2, updateAge: HOUR }, HOUR, false],
  ['higher than updateAge', { maxAge: HOUR / 4, updateAge: HOUR / 4 }, HOUR, true],
])('of idle timeouts by session.lifetime, one that is %s: extended?', async (...given) => {
  const [, session, idle, isExtended] = given
  const { warning, isSignedIn } = await use({ ...session, lifetime: () => ({ idle }) })
  expect(warning).toContain(
    ' seconds), so a session is extended only if its idle timeout, which session.lifetime chooses, is lower than maxAge or higher than updateAge. Others end while they are used. Set a lower updateAge,',
  )
  expect(isSignedIn).toBe(isExtended)
})

test.each([
  ['the defaults', {}, true],
  ['a short maxAge', { maxAge: HOUR }, true],
  ['a lower updateAge', { maxAge: HOUR, updateAge: HOUR / 2 }, true],
  ['an infinite updateAge, which is meant', { maxAge: HOUR, updateAge: Infinity }, false],
])('%s is not reported', async (_name, session, outlives) => {
  expect(await use(session)).toEqual({ warning: undefined, isSignedIn: outlives })
})
