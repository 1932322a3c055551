import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { browser } from '../../../src/testing/index.ts'
import {
  ADA,
  click,
  confirm,
  enterCode,
  FAILED,
  followLink,
  linkIn,
  locationOf,
  mailSite,
  requestCode,
  SENT,
  SPENT,
  STRATEGIES,
  submitAddress,
  WRONG,
  wrongCode,
} from '../../email.ts'
import type { MailSiteOptions } from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'

const HOME = 'https://app.test'

function codeSite(
  overrides: Parameters<typeof mailSite>[0] = {},
  { provider, ...options }: MailSiteOptions = {},
) {
  return mailSite(overrides, { ...options, provider: { method: 'code', ...provider } })
}

describe.each(STRATEGIES)('with %s sessions, a code', (strategy) => {
  const session = { strategy }

  test('signs in to the return URL of the request, and verifies the address', async () => {
    const site = codeSite({ session })
    const tab = browser(site.config)
    const asked = await submitAddress(tab, ' Ada@Example.com ', { callbackUrl: '/board' })
    expect([asked.status, locationOf(asked)]).toEqual([302, SENT])
    const { code = '', identifier, token } = site.mails[0] ?? {}
    expect(code).toMatch(/^\d{6}$/)
    expect([identifier, token]).toEqual([ADA, code])
    const answer = await enterCode(tab, code, { callbackUrl: '/elsewhere' })
    expect([answer.status, locationOf(answer)]).toEqual([302, `${HOME}/board`])
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect((await site.adapter.getUserByEmail(ADA))?.emailVerified).toBeInstanceOf(Date)
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
  })

  test.each([
    '123 456',
    ' 123-456\n',
    '12\u201334\u00a056',
    '１２３４５６',
    '1\u200b23456',
    '١٢٣ ٤٥٦',
    '۱۲۳۴۵۶',
    '१२३४५६',
  ])('is accepted as it was copied: %j', async (typed) => {
    const generateVerificationToken = () => '123456'
    const site = codeSite({ session }, { provider: { generateVerificationToken } })
    const tab = browser(site.config)
    await requestCode(tab, site)
    expect(locationOf(await enterCode(tab, typed))).toBe(HOME)
  })

  test('signs in to the existing user, as a magic link does', async () => {
    const site = codeSite({ session })
    const user = await site.adapter.createUser({ id: 'ada', email: ADA, emailVerified: null })
    await site.adapter.linkAccount({
      userId: user.id,
      provider: 'op',
      providerAccountId: 'eve',
      type: 'oidc',
    })
    const tab = browser(site.config)
    await enterCode(tab, await requestCode(tab, site))
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    // The account of an attacker who signed up with the address is unlinked.
    expect(await site.adapter.listAccounts(user.id)).toEqual([])
  })
})

describe('a code', () => {
  test('can be entered five times; then it is deleted with its cookie', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    const copied = tab.cookies.all()
    for (let at = 1; at <= 5; at++) {
      const answer = await enterCode(tab, wrongCode(code, at))
      expect([answer.status, locationOf(answer)]).toEqual([302, WRONG])
    }
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
    expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
    const eve = browser(site.config)
    for (const { name, value } of copied) eve.cookies.set(name, value)
    expect(locationOf(await enterCode(eve, code))).toBe(WRONG)
    expect([await tab.session(), await eve.session()]).toEqual([null, null])
  })

  test('is accepted at the fifth try', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (let at = 1; at <= 4; at++) await enterCode(tab, wrongCode(code, at))
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('loses no try to text that is not a code', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (const text of ['', '1', 'abcdef', '1234567', `${code}0`, 'x'.repeat(5000), '{}', '\0'])
      expect(locationOf(await enterCode(tab, text))).toBe(WRONG)
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('is rejected with the same response for every reason', async () => {
    const site = codeSite()
    const [tab, other, never] = [0, 1, 2].map(() => browser(site.config)) as [
      ReturnType<typeof browser>,
      ReturnType<typeof browser>,
      ReturnType<typeof browser>,
    ]
    const code = await requestCode(tab, site)
    await requestCode(other, site, 'unknown@example.com')
    const answers = [
      await enterCode(tab, wrongCode(code)),
      await enterCode(other, code),
      await enterCode(never, code),
      await enterCode(never, code, { email: ADA }),
    ]
    await enterCode(tab, code)
    answers.push(await enterCode(tab, code))
    const shown = answers.map(({ status, headers }) => {
      headers.delete('set-cookie')
      return { status, headers: Object.fromEntries(headers) }
    })
    for (const each of shown) expect(each).toEqual(shown[0])
    expect(locationOf(answers[0] ?? new Response())).toBe(WRONG)
  })

  test('is rejected with status 403 for programs', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    const send = async (entered: unknown) =>
      tab.request('callback/email', {
        method: 'POST',
        json: { csrfToken: await tab.csrfToken(), code: entered },
      })
    const answer = await send(wrongCode(code))
    expect(answer.status).toBe(403)
    expect(await answer.json()).toEqual({
      error: 'Verification',
      code: 'invalid_code',
      message: 'The code is wrong or has expired, or was requested in another browser.',
      retryable: false,
    })
    for (const odd of [Number(code), [code], { code }, null, true])
      expect((await send(odd)).status).toBe(400)
    expect((await send(code)).status).toBe(302)
  })

  test('requires a CSRF token', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    const form = { code }
    const forged = await tab.request('callback/email', { method: 'POST', form })
    expect(locationOf(forged)).toContain('error=MissingCSRF')
    const query = await tab.request(`callback/email?code=${code}`)
    expect(locationOf(query)).toBe(SPENT)
    expect(await tab.session()).toBeNull()
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('is replaced by the next one in the same browser', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const first = await requestCode(tab, site)
    const second = await requestCode(tab, site)
    if (first !== second) expect(locationOf(await enterCode(tab, first))).toBe(WRONG)
    expect(locationOf(await enterCode(tab, second))).toBe(HOME)
  })

  test('is not stored in any form that can be read without the secret', async () => {
    const site = codeSite()
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    const stored = JSON.stringify(site.calls.filter(({ method }) => method.startsWith('create')))
    expect(stored).not.toContain(code)
    expect(JSON.stringify(tab.cookies.all())).not.toContain(code)
    expect(site.calls.filter(({ method }) => method === 'createVerificationToken')).toHaveLength(1)
  })

  describe('is valid for', () => {
    beforeEach(stopClock)
    afterEach(() => void vi.useRealTimers())

    test.each([
      ['ten minutes', {}, 600],
      ['ten minutes at most', { maxAge: 86_400 }, 600],
      ['a shorter maxAge', { maxAge: 60 }, 60],
    ])('%s', async (_name, provider, lifetime) => {
      const site = codeSite({}, { provider })
      const tab = browser(site.config)
      const early = await requestCode(tab, site)
      expect(site.mails[0]?.expires).toEqual(new Date(Date.now() + lifetime * 1000))
      await pass(lifetime - 1)
      expect(locationOf(await enterCode(tab, early))).toBe(HOME)
      const late = await requestCode(tab, site)
      await pass(lifetime)
      expect(locationOf(await enterCode(tab, late))).toBe(WRONG)
    })
  })

  test('can be entered again if the sign-in fails', async () => {
    let fails = true
    const signIn = ({ email }: { email?: unknown }) => email !== undefined || !fails
    const site = codeSite({ callbacks: { signIn } })
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    expect(locationOf(await enterCode(tab, code))).toContain('error=AccessDenied')
    fails = false
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  })

  test('is deleted if the mail is not sent', async () => {
    const sendVerificationRequest = () => Promise.reject(new Error('refused'))
    const site = codeSite({}, { provider: { sendVerificationRequest } })
    const tab = browser(site.config)
    expect(locationOf(await submitAddress(tab))).toContain('error=EmailSignInError')
    expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
    const calls = site.calls.filter(({ method }) => method.endsWith('VerificationToken'))
    expect(calls.map(({ method }) => method)).toEqual([
      'createVerificationToken',
      'useVerificationToken',
    ])
  })

  test('remains valid after the secret was rotated', async () => {
    const old = codeSite()
    const tab = browser(old.config)
    const code = await requestCode(tab, old)
    const secret = ['another secret of at least 32 bytes', String(old.config.secret)]
    const site = codeSite({ secret }, { adapter: old.adapter })
    const moved = browser(site.config)
    for (const { name, value } of tab.cookies.all()) moved.cookies.set(name, value)
    expect(locationOf(await enterCode(moved, code))).toBe(HOME)
  })
})

/** A site with codes, whose adapter fails in one call of a method, before or after its effect. */
function failing(method: 'createVerificationToken' | 'createSession' | 'useVerificationToken') {
  const adapter = MemoryAdapter()
  const state: { fails: 'no' | 'before' | 'afterwards' } = { fails: 'no' }
  const call: (...args: never[]) => unknown = adapter[method]
  const run = async (...args: never[]): Promise<unknown> => {
    const { fails } = state
    state.fails = 'no'
    if (fails === 'before') throw new Error('The database is down.')
    const result = await call(...args)
    if (fails === 'afterwards') throw new Error('The connection was lost.')
    return result
  }
  const session = { strategy: 'database' } as const
  const provider = { method: 'code' } as const
  return { ...mailSite({ session }, { adapter, provider, methods: { [method]: run } }), state }
}

test.each(['useVerificationToken', 'createSession'] as const)(
  'a code can be entered again after %s failed',
  async (method) => {
    const site = failing(method)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    site.state.fails = 'before'
    expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
    expect(await tab.session()).toBeNull()
    expect(locationOf(await enterCode(tab, code))).toBe(HOME)
    expect(await tab.session()).not.toBeNull()
  },
)

test('a code can be entered again after the response of createSession was lost', async () => {
  const site = failing('createSession')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'afterwards'
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

test('a code is rejected, rather than tried without a limit, after the response of its lookup was lost', async () => {
  const site = failing('useVerificationToken')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'afterwards'
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
  expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
})

test('a code is rejected after the next try could not be stored', async () => {
  const site = failing('createVerificationToken')
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.fails = 'before'
  expect(locationOf(await enterCode(tab, wrongCode(code)))).toBe(FAILED)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
  expect(locationOf(await enterCode(tab, await requestCode(tab, site)))).toBe(HOME)
})

test('a code is accepted after the response to a wrong one was lost', async () => {
  const site = mailSite({}, { provider: { method: 'code' } })
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  const cookies = tab.cookies.all()
  for (let at = 1; at <= 4; at++) {
    await enterCode(tab, wrongCode(code, at))
    for (const { name, value } of cookies) tab.cookies.set(name, value)
  }
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

/** A site whose database is down from the sign-in callback to the response. */
function failingLate() {
  const adapter = MemoryAdapter()
  const state = { isDown: false }
  const broken = (method: 'createUser' | 'createVerificationToken') => {
    const call: (...args: never[]) => unknown = adapter[method]
    return (...args: never[]): unknown => {
      if (state.isDown) throw new Error('The database is down.')
      return call(...args)
    }
  }
  const methods = {
    createUser: broken('createUser'),
    createVerificationToken: broken('createVerificationToken'),
  }
  const provider = { method: 'code' } as const
  return { ...mailSite({}, { adapter, provider, methods }), state }
}

async function enterDuringOutage() {
  const site = failingLate()
  const tab = browser(site.config)
  const code = await requestCode(tab, site)
  site.state.isDown = true
  expect(locationOf(await enterCode(tab, code))).toBe(FAILED)
  site.state.isDown = false
  return { tab, code }
}

test('a code that was right signs in once, after an outage in which it could not be stored again', async () => {
  const { tab, code } = await enterDuringOutage()
  const cookies = tab.cookies.all()
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
  expect(await tab.session()).not.toBeNull()
  for (const { name, value } of cookies) tab.cookies.set(name, value)
  expect(locationOf(await enterCode(tab, code))).toBe(WRONG)
})

test('another code does not sign in after an outage', async () => {
  const { tab, code } = await enterDuringOutage()
  for (let at = 1; at <= 6; at++)
    expect(locationOf(await enterCode(tab, wrongCode(code, at)))).toBe(WRONG)
  expect(await tab.session()).toBeNull()
  expect(locationOf(await enterCode(tab, code))).toBe(HOME)
})

function bothSite(options: MailSiteOptions = {}) {
  return mailSite({}, { ...options, provider: { method: 'both' } })
}

describe('a mail with a link and a code', () => {
  const WITHOUT: MailSiteOptions = { methods: { deleteVerificationTokens: undefined } }

  test.each([
    ['with', {}],
    ['without', WITHOUT],
  ])('signs in once, %s deleteVerificationTokens', async (_name, options) => {
    for (const first of ['link', 'code']) {
      const site = bothSite(options)
      const [tab, phone] = [browser(site.config), browser(site.config)]
      const code = await requestCode(tab, site)
      const link = linkIn(site.mails)
      const uses = {
        link: async () => locationOf(await followLink(phone, link)),
        code: async () => locationOf(await enterCode(tab, code)),
      }
      if (first === 'link') expect([await uses.link(), await uses.code()]).toEqual([HOME, WRONG])
      else expect([await uses.code(), await uses.link()]).toEqual([HOME, SPENT])
    }
  })

  test('opens without confirmation in the browser that requested it', async () => {
    const site = bothSite()
    const tab = browser(site.config)
    await requestCode(tab, site)
    expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(HOME)
    const link = await requestCode(tab, site).then(() => linkIn(site.mails))
    const phone = browser(site.config)
    const page = await click(phone, link)
    expect(page.status).toBe(200)
    expect(locationOf(await confirm(phone, page))).toBe(HOME)
  })

  test('has a link that is valid after a wrong code', async () => {
    const site = bothSite(WITHOUT)
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (let at = 1; at <= 5; at++) await enterCode(tab, wrongCode(code, at))
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(HOME)
  })

  test('signs in once if both are used at the same time', async () => {
    for (let run = 0; run < 10; run++) {
      const site = bothSite(WITHOUT)
      const tab = browser(site.config)
      const code = await requestCode(tab, site)
      const csrfToken = await tab.csrfToken()
      const form = { csrfToken, code }
      const answers = await Promise.all([
        tab.request('callback/email', { method: 'POST', form }),
        click(tab, linkIn(site.mails)),
      ])
      expect(answers.map(locationOf).filter((each) => each === HOME)).toHaveLength(1)
    }
  })
})
