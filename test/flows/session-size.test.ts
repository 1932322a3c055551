import { describe, expect, test } from 'vitest'
import type { CallbacksOptions } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, passwordConfig } from '../config.ts'
import type { Log } from '../config.ts'
import { SESSION, cookiesSetBy } from '../sessions.ts'

/** A signed-in browser whose session contains `notes` of a given length. */
async function withNotes(length: number): Promise<{
  tab: Browser
  log: Log
  write: (length: number) => Promise<Response>
}> {
  let notes = 'n'.repeat(length)
  const callbacks: CallbacksOptions = {
    jwt: ({ token }) => ({ ...token, notes }),
    session: ({ session, token }) => ({ ...session, notes: token['notes'] }),
  }
  const { config, log } = passwordConfig({ callbacks })
  const tab = browser(config)
  await enter(tab)
  const write = (wanted: number) => {
    notes = 'n'.repeat(wanted)
    return tab.request('session')
  }
  return { tab, log, write }
}

function sessionCookies(tab: Browser): string[] {
  return tab.cookies
    .all()
    .map(({ name }) => name)
    .filter((name) => name.startsWith(SESSION))
}

describe('a session that is too long for one cookie', () => {
  test('is stored in several cookies, none longer than browsers accept', async () => {
    const { tab } = await withNotes(6000)
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
  })

  test('is stored in cookies of at most 4096 bytes, including name and attributes', async () => {
    const { write } = await withNotes(10)
    const cookies = (await write(8000)).headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(2)
    for (const cookie of cookies) expect(cookie.length).toBeLessThanOrEqual(4096)
  })

  test('returns to one cookie when it gets shorter, and its chunks are deleted', async () => {
    const { tab, write } = await withNotes(6000)
    const response = await write(10)
    expect(cookiesSetBy(response).sort()).toEqual([
      `-${SESSION}.0`,
      `-${SESSION}.1`,
      `-${SESSION}.2`,
      SESSION,
    ])
    expect(sessionCookies(tab)).toEqual([SESSION])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(10) })
  })

  test('becomes chunked when it grows, and the whole cookie is deleted', async () => {
    const { tab, write } = await withNotes(10)
    await write(6000)
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
  })

  test.each([0, 1, 2])(
    'is invalid when chunk %i is missing, and the others are deleted',
    async (chunk) => {
      const { tab } = await withNotes(6000)
      tab.cookies.delete(`${SESSION}.${chunk}`)
      expect(await tab.session()).toBeNull()
      expect(sessionCookies(tab)).toEqual([])
    },
  )

  test('is invalid when chunks are swapped', async () => {
    const { tab } = await withNotes(6000)
    const [first, second] = [0, 1].map((chunk) => tab.cookies.get(`${SESSION}.${chunk}`)?.value)
    tab.cookies.set(`${SESSION}.0`, second ?? '')
    tab.cookies.set(`${SESSION}.1`, first ?? '')
    expect(await tab.session()).toBeNull()
  })

  test('is deleted with all chunks by a sign-out', async () => {
    const { tab } = await withNotes(6000)
    await tab.post('signout')
    expect(sessionCookies(tab)).toEqual([])
  })

  test('is valid next to a stale chunk, which is deleted', async () => {
    const { tab } = await withNotes(10)
    tab.cookies.set(`${SESSION}.0`, 'left-over')
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(10) })
    expect(sessionCookies(tab)).toEqual([SESSION])
  })

  test('is valid in chunks next to a stale whole cookie, which is deleted', async () => {
    const { tab } = await withNotes(6000)
    tab.cookies.set(SESSION, 'left-over')
    expect(await tab.session()).toMatchObject({ notes: 'n'.repeat(6000) })
    expect(sessionCookies(tab)).toEqual([`${SESSION}.0`, `${SESSION}.1`, `${SESSION}.2`])
  })
})

test('a session that nearly fills a cookie is reported once', async () => {
  const { log, write } = await withNotes(10)
  const warnings = () => log.lines.filter(([level]) => level === 'warn')
  expect(warnings()).toEqual([])
  await write(2800)
  await write(2900)
  expect(warnings()).toMatchObject([['warn', 'session-large', expect.stringContaining('3800')]])
})

describe('a session that is too large for cookies', () => {
  test('is not created, and the log names its largest keys', async () => {
    const { tab, log } = await withNotes(60_000)
    expect(sessionCookies(tab)).toEqual([])
    expect(log.errors).toMatchObject([{ type: 'SessionTooLarge' }])
    expect(log.errors[0]?.message).toMatch(
      /its largest keys: notes \(60002\), picture \(22\), email \(17\)\./,
    )
  })

  test('does not replace the session before it', async () => {
    const { tab, log, write } = await withNotes(10)
    const response = await write(60_000)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: 'Configuration' })
    expect(sessionCookies(tab)).toEqual([SESSION])
    expect(log.errors).toMatchObject([{ type: 'SessionTooLarge' }])
    expect((await write(10)).status).toBe(200)
  })
})
