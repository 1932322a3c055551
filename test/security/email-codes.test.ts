/** Guessing e-mail codes: tries in parallel, with copied cookies, over several processes, from a stolen table. */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { Auth } from '../../src/index.ts'
import type { AuditEvent, AuthConfig } from '../../src/index.ts'
import { open } from '../../src/core/crypto/seal.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { SECRET } from '../config.ts'
import {
  ADA,
  CALLBACK,
  enterCode,
  locationOf,
  mailSite,
  requestCode,
  STRATEGIES,
  wrongCode,
  WRONG,
} from '../email.ts'
import type { MailSite } from '../email.ts'
import { SESSION } from '../sessions.ts'

const HOME = 'https://app.test'
const METHODS = ['code', 'both'] as const

/** Posts a code with these cookies, without storing those of the response. */
async function post(config: AuthConfig, tab: Attacker, code: string): Promise<Response> {
  const headers = { cookie: tab.cookies, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
  const body = new URLSearchParams({ csrfToken: tab.csrfToken, code })
  return Auth(new Request(CALLBACK, { method: 'POST', headers, body }), config)
}

interface Attacker {
  readonly cookies: string
  readonly csrfToken: string
}

async function copyOf(tab: Browser): Promise<Attacker> {
  const csrfToken = await tab.csrfToken()
  const url = new URL(CALLBACK)
  const cookies = tab.cookies.header({ url, method: 'POST', initiator: 'same-site' }) ?? ''
  return { cookies, csrfToken }
}

function hasSession({ headers }: Response): boolean {
  return headers
    .getSetCookie()
    .some((each) => each.startsWith(`${SESSION}=`) && !each.includes('Max-Age=0'))
}

/** An adapter that counts the codes whose comparison was allowed. */
function counting() {
  const adapter = MemoryAdapter()
  const counts = { tries: 0 }
  const useVerificationToken: typeof adapter.useVerificationToken = async (key) => {
    const row = await adapter.useVerificationToken(key)
    if (row) counts.tries += 1
    return row
  }
  return { counts, adapter, methods: { useVerificationToken } }
}

describe.each(STRATEGIES)('with %s sessions', (strategy) => {
  const session = { strategy }

  test.each(METHODS)(
    'of 20 parallel requests with a correct code, one signs in: %s',
    async (method) => {
      const site = mailSite({ session }, { provider: { method } })
      const tab = browser(site.config)
      const code = await requestCode(tab, site)
      const copy = await copyOf(tab)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post(site.config, copy, code)),
      )
      expect(answers.filter(hasSession)).toHaveLength(1)
      expect(answers.map(locationOf).filter((each) => each === HOME)).toHaveLength(1)
      expect(answers.map(locationOf).filter((each) => each === WRONG)).toHaveLength(19)
      const user = await site.adapter.getUserByEmail(ADA)
      const sessions = await site.adapter.listSessions(user?.id ?? '')
      expect(sessions).toHaveLength(strategy === 'database' ? 1 : 0)
      // A replay with the same cookies.
      expect(locationOf(await post(site.config, copy, code))).toBe(WRONG)
    },
  )
})

test('parallel wrong codes with replayed cookies are five tries, over two processes', async () => {
  const { counts, adapter, methods } = counting()
  const sites = [0, 1].map(() => mailSite({}, { adapter, methods, provider: { method: 'code' } }))
  const [first, second] = sites as [MailSite, MailSite]
  const tab = browser(first.config)
  const code = await requestCode(tab, first)
  const copy = await copyOf(tab)
  for (let round = 1; round <= 10; round++) {
    const guesses = [first, second].flatMap(({ config }) =>
      Array.from({ length: 20 }, (_each, by) =>
        post(config, copy, wrongCode(code, 1 + by * round)),
      ),
    )
    for (const answer of await Promise.all(guesses)) expect(locationOf(answer)).toBe(WRONG)
  }
  expect(counts.tries).toBe(5)
  for (const { config } of sites) expect(locationOf(await post(config, copy, code))).toBe(WRONG)
})

test('a stored row can be compared with guessed codes only with the secret', async () => {
  const site = mailSite({}, { provider: { method: 'code' } })
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const row = site.calls.find(({ method }) => method === 'createVerificationToken')
  const { token = '' } = Object(row?.args[0])
  // An attacker may know the transaction, as that of a browser of their own.
  const sealed = tab.cookies.all().find(({ name }) => name.includes('lib.state.'))?.value ?? ''
  const opening = { secrets: [SECRET], salt: 'lib.transaction', family: 'internal' } as const
  const claims = await open(sealed, opening)
  const { id } = Object(claims?.['emailCode'])
  const digest = (guess: string, secret: string) => {
    const text = `lib.email-code.${JSON.stringify([guess, ADA, id])}`
    return createHmac('sha256', secret).update(text).digest('hex')
  }
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sha(`${digest(code, SECRET)}.0`)).toBe(token)
  const near = Array.from({ length: 1000 }, (_each, by) => wrongCode(code, by))
  for (const guess of near) {
    expect([sha(guess), sha(guess + SECRET), sha(`${guess}.0`)]).not.toContain(token)
    expect(sha(`${digest(guess, 'another secret')}.0`)).not.toBe(token)
  }
})

test('a code is not valid for the address of another transaction', async () => {
  const site = mailSite(
    {},
    { provider: { generateVerificationToken: () => '123456', method: 'code' } },
  )
  const [tab, eve] = [browser(site.config), browser(site.config)]
  await requestCode(tab, site)
  await requestCode(eve, site, 'eve@example.com')
  await enterCode(eve, '123456', { email: ADA })
  expect(await eve.session()).toMatchObject({ user: { email: 'eve@example.com' } })
  expect(await tab.session()).toBeNull()
})

test('the audit log has an event for each code that is entered, without the code', async () => {
  const events: AuditEvent[] = []
  const audit = { write: (event: AuditEvent) => void events.push(event) }
  const site = mailSite({ audit }, { provider: { method: 'code' } })
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const typed = wrongCode(code)
  await enterCode(tab, typed)
  await enterCode(tab, code)
  const reported = events.map(({ type, outcome, reason }) => [type, outcome, reason])
  expect(reported).toEqual([
    ['signin', 'failure', 'Verification'],
    ['user.created', 'success', undefined],
    ['signin', 'success', undefined],
  ])
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${code}|${typed}`))
})

test('the log and the debug log contain no code', async () => {
  const site = mailSite({ debug: true }, { provider: { method: 'both' } })
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const typed = wrongCode(code)
  await enterCode(tab, typed)
  await enterCode(tab, code)
  expect(JSON.stringify(site.log)).not.toMatch(new RegExp(`${code}|${typed}`))
  expect(JSON.stringify(site.log)).toContain('e-mail code rejected')
})
