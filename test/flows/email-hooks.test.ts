import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { EmailConfig } from '../../src/config/email.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import {
  ADA,
  SENT,
  submitAddress,
  click,
  confirm,
  locationOf,
  mailSite,
  requestLink,
  writes,
} from '../email.ts'

const NOT_SENT = 'https://app.test/auth/signin?error=EmailSignInError&code=invalid_address'
const MISTAKE = 'https://app.test/auth/error?error=Configuration'

/** A parser error quotes the beginning of it. */
const LONG = 'lovelace.augusta.ada@example.com'

/** The JSON response for a rejected address. */
const REFUSED = {
  error: 'EmailSignInError',
  message: 'The e-mail address is not valid.',
  code: 'invalid_address',
  retryable: false,
}

/** Sends an address as JSON. */
async function askWithJson(tab: Browser, email: string): Promise<Response> {
  const json = { csrfToken: await tab.csrfToken(), email }
  return tab.request('signin/email', { method: 'POST', json })
}

describe('normalizeIdentifier', () => {
  const fail = () => {
    throw new Error('Not one of ours: ada@example.com')
  }

  test.each<[string, unknown]>([
    ['throws', fail],
    [
      'throws an error of another route',
      () => {
        throw new CredentialsSignin()
      },
    ],
    ['rejects', async () => fail()],
    ['rejects with a string', () => Promise.reject('not one of ours')],
  ])('rejects an address on the sign-in page if it %s', async (_name, normalizeIdentifier) => {
    const site = mailSite({}, { provider: { normalizeIdentifier } as Partial<EmailConfig> })
    const tab = browser(site.config)
    const answer = await submitAddress(tab)
    expect([answer.status, locationOf(answer)]).toEqual([302, NOT_SENT])
    expect([site.calls, site.mails]).toEqual([[], []])
    expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
    const cause = site.log.errors[0]?.cause as { err?: Error } | undefined
    expect(cause?.err?.message ?? '').not.toContain(ADA)
    const program = await askWithJson(tab, ADA)
    expect(program.status).toBe(400)
    expect(await program.json()).toEqual(REFUSED)
  })

  test.each<[string, EmailConfig['normalizeIdentifier']]>([
    ['TypeError', (identifier) => new URL(identifier).href],
    // Not a tail call, which has no line in the stacks of Bun.
    ['RangeError', (identifier) => identifier.normalize('nfkc').trim()],
    ['SyntaxError', (identifier) => String(JSON.parse(identifier))],
  ])(
    'causes a server error, logged with its stack, if it throws a %s',
    async (type, normalizeIdentifier) => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      onTestFinished(() => void vi.restoreAllMocks())
      const site = mailSite({ logger: undefined }, { provider: { normalizeIdentifier } })
      const tab = browser(site.config)
      expect(locationOf(await submitAddress(tab, LONG))).toBe(MISTAKE)
      const program = await askWithJson(tab, LONG)
      expect(program.status).toBe(500)
      expect(await program.json()).toMatchObject({ error: 'Configuration', retryable: false })
      expect([site.calls, site.mails]).toEqual([[], []])
      expect(error).toHaveBeenCalledTimes(2)
      for (const [line] of error.mock.calls) {
        expect(line).toMatch(/^\[auth\]\[error\] CallbackRouteError: normalizeIdentifier threw a /)
        expect(line).toContain(`[auth][cause] ${type}: `)
        expect(line).toMatch(/^\s+at .*email-hooks\.test\.ts:/m)
        expect(line).not.toContain('lovela')
      }
    },
  )

  test('does not report an invalid address if it times out', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let normalizeIdentifier: unknown
    const called = new Promise<void>((resolve) => {
      normalizeIdentifier = () => new Promise<string>(() => resolve())
    })
    const site = mailSite({}, { provider: { normalizeIdentifier } as Partial<EmailConfig> })
    const tab = browser(site.config)
    const asked = askWithJson(tab, ADA)
    await called
    await vi.advanceTimersByTimeAsync(11_000)
    const answer = await asked
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject({ error: 'EmailSignInError', retryable: true })
    expect(site.log.errors).toMatchObject([
      { message: expect.stringContaining('normalizeIdentifier did not return in time') },
    ])
  })

  test.each([[undefined], [null], [''], [42], [['ada@example.com']], [{ email: ADA }], [false]])(
    'causes a server error if it returns %j',
    async (garbage) => {
      const provider = { normalizeIdentifier: () => garbage } as unknown as Partial<EmailConfig>
      const site = mailSite({}, { provider })
      expect(locationOf(await submitAddress(browser(site.config)))).toBe(MISTAKE)
      expect([site.calls, site.mails]).toEqual([[], []])
      expect(site.log.errors).toMatchObject([
        { message: expect.stringContaining('normalizeIdentifier did not return a string') },
      ])
    },
  )

  test('determines the address in the link, the mail and the user', async () => {
    const provider: Partial<EmailConfig> = {
      normalizeIdentifier: (identifier) => identifier.trim().replace(/\+[^@]*/, ''),
    }
    const site = mailSite({}, { provider })
    const tab = browser(site.config)
    const link = await requestLink(tab, site, ' Ada+news@Example.com')
    expect(site.mails[0]?.identifier).toBe('Ada@Example.com')
    await click(tab, link)
    expect(await tab.session()).toMatchObject({ user: { email: 'Ada@Example.com' } })
  })

  test('accepts only plain addresses by default', async () => {
    const site = mailSite()
    const tab = browser(site.config)
    for (const email of ['', 'ada', 'ada@localhost', '"ada"@example.com', 'a@b.test,eve@evil.test'])
      expect(locationOf(await submitAddress(tab, email))).toBe(NOT_SENT)
    for (const email of ['', 'ada', 'ada@localhost', 'ada\0@example.com', 'ada@@example.com']) {
      const answer = await askWithJson(tab, email)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([400, null])
      expect(await answer.json()).toEqual(REFUSED)
    }
    expect([site.calls, site.mails]).toEqual([[], []])
  })
})

describe('generateVerificationToken', () => {
  test.each<[string, EmailConfig['generateVerificationToken']]>([
    ['synchronously', () => 'a token/of+our own ="<&'],
    ['asynchronously', async () => 'a token/of+our own ="<&'],
  ])('generates the token %s', async (_name, generateVerificationToken) => {
    const site = mailSite({}, { provider: { generateVerificationToken } })
    const [tab, phone] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    expect(site.mails[0]?.token).toBe('a token/of+our own ="<&')
    const page = await click(phone, link)
    expect(page.status).toBe(200)
    expect(locationOf(await confirm(phone, page))).toBe('https://app.test')
  })

  test.each<[string, () => unknown]>([
    ['returns an empty string', () => ''],
    ['returns a number', () => 123_456],
    ['returns an object', () => ({ token: 'x' })],
    [
      'throws',
      () => {
        throw new Error('No entropy.')
      },
    ],
    ['rejects', () => Promise.reject(new Error('No entropy.'))],
  ])('causes a server error if it %s', async (_name, generate) => {
    const provider = { generateVerificationToken: generate } as unknown as Partial<EmailConfig>
    const site = mailSite({}, { provider })
    expect(locationOf(await submitAddress(browser(site.config)))).toBe(MISTAKE)
    expect([site.mails, writes(site)]).toEqual([[], []])
    expect(site.log.errors).toHaveLength(1)
  })

  test.each<[string, () => unknown]>([
    ['returns nothing', () => undefined],
    ['resolves with nothing', async () => null],
  ])('uses the default token if it %s', async (_name, generate) => {
    const provider = { generateVerificationToken: generate } as unknown as Partial<EmailConfig>
    const site = mailSite({}, { provider })
    expect(locationOf(await submitAddress(browser(site.config)))).toBe(SENT)
    expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
  })
})
