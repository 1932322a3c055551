/** Responses and work for existing and unknown accounts are equal (acceptance D3). */
import nodeCrypto from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { EmailConfig } from '../../../src/core/config/email.ts'
import type { RateLimitStore } from '../../../src/core/config/protection-options.ts'
import { processLimits } from '../../../src/core/limits/memory.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { ADA, enterCode, mailSite, submitAddress } from '../../email.ts'
import type { MailSite } from '../../email.ts'
import { stopClock } from '../../sessions.ts'

/** As long as the existing address, because the length of a sealed cookie depends on it. */
const UNKNOWN = 'eve@example.com'

const HASHES = [
  'createHmac',
  'createHash',
  'createCipheriv',
  'createDecipheriv',
  'hkdfSync',
] as const

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

interface Site extends MailSite {
  /** Calls of the rate limit store. */
  readonly taken: string[]
  /** Accounts for which `authorize` was called. */
  readonly authorized: unknown[]
}

/** A site with passwords and mails, at which Ada has a password, an account and a verified address. */
async function siteWithAda(method: EmailConfig['method'] = 'link'): Promise<Site> {
  const adapter = MemoryAdapter()
  const user = { name: 'Ada', email: ADA, emailVerified: new Date(), image: null }
  await adapter.createUser({ id: 'ada', ...user })
  const taken: string[] = []
  const store: RateLimitStore = {
    take: (rates, now) => {
      taken.push(`take ${rates.map(({ key }) => key.replace(/:\w{32}/g, '')).join()}`)
      return processLimits.take(rates, now)
    },
    giveBack: (rates, now) => {
      taken.push(`giveBack ${rates.length}`)
      return processLimits.giveBack(rates, now)
    },
  }
  const authorized: unknown[] = []
  const site = mailSite(
    { session: { strategy: 'jwt' }, protection: { clientAddress: { header: 'x-client' }, store } },
    { adapter, provider: { method } },
  )
  const password = {
    id: 'password',
    name: 'Password',
    type: 'credentials' as const,
    credentials: { email: {}, password: { type: 'password' } },
    authorize: ({ email }: Record<string, unknown>) => {
      authorized.push(email)
      return null
    },
  }
  return {
    ...site,
    config: { ...site.config, providers: [...(site.config.providers ?? []), password] },
    taken,
    authorized,
  }
}

/** Random values, and the address. */
function masked(text: string, address: string): string {
  return text
    .replaceAll(address, '<address>')
    .replaceAll(encodeURIComponent(address), '<address>')
    .replace(/[\w-]{32,}(?:\.[\w-]+)*/g, '<random>')
    .replace(/\b\d{6}\b/g, '<digits>')
}

/** What the browser receives; of a cookie everything except its value, of which only the length. */
async function visible(response: Response, address: string) {
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = '', attributes] = /^([^=]*)=([^;]*)(.*)$/.exec(cookie) ?? []
    return `${name.replace(/[\da-f]{8}$/, '<random>')}=${value.length}${attributes}`
  })
  const headers = [...response.headers]
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]) => `${name}: ${masked(value, address)}`)
  const body = masked(await response.text(), address)
  return { status: response.status, headers, cookies, body }
}

type Request = (tab: Browser, address: string, site: Site) => Promise<Response>

interface Scenario {
  readonly name: string
  readonly method?: EmailConfig['method']
  readonly before?: Request
  readonly request: Request
}

/** The response to a request, and the operations that it took. */
async function observe({ method, before, request }: Scenario, address: string) {
  Reflect.deleteProperty(globalThis, Symbol.for('lib-auth.process.1'))
  const site = await siteWithAda(method)
  const tab = browser(site.config, { headers: { 'x-client': '192.0.2.1' } })
  await before?.(tab, address, site)
  await tab.request('csrf')
  for (const list of [site.mails, site.calls, site.taken, site.authorized]) list.length = 0
  const hashes = HASHES.map((name) => vi.spyOn(nodeCrypto, name).mockClear())
  const response = await request(tab, address, site)
  const work = {
    adapter: site.calls.map((call) => call.method),
    store: [...site.taken],
    authorize: site.authorized.length,
    hashes: Object.fromEntries(hashes.map((spy, index) => [HASHES[index], spy.mock.calls.length])),
  }
  const mails = site.mails.map(({ identifier, url, code }) =>
    masked(JSON.stringify({ identifier, url, code }), address),
  )
  const received = await visible(response, address)
  const page = response.headers.get('location')
  const shown = page && (await visible(await tab.request(page), address))
  return { received, shown, mails, work }
}

const wrongPassword: Request = (tab, address) =>
  tab.post('callback/password', { email: address, password: 'wrong' })
const askForMail: Request = (tab, address) => submitAddress(tab, address)

/** Six times: more than the limits of an account and of a recipient. */
function exhaust(request: Request): Request {
  return async (tab, address, site) => {
    for (let count = 0; count < 5; count++) await request(tab, address, site)
    return request(tab, address, site)
  }
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'a wrong password', request: wrongPassword },
  {
    name: 'a wrong password of a program',
    request: async (tab, email) =>
      tab.request('callback/password', {
        method: 'POST',
        headers: { accept: 'application/json' },
        json: { email, password: 'wrong', csrfToken: await tab.csrfToken() },
      }),
  },
  {
    name: 'a password when the limit is exhausted',
    before: exhaust(wrongPassword),
    request: wrongPassword,
  },
  { name: 'a request for a magic link', request: askForMail },
  { name: 'a request for a code', method: 'code', request: askForMail },
  { name: 'a request for both', method: 'both', request: askForMail },
  ...(['link', 'code', 'both'] as const).map((method) => ({
    name: `a request for a mail when the limit is exhausted, with method ${method}`,
    method,
    before: exhaust(askForMail),
    request: askForMail,
  })),
  {
    name: 'a wrong code',
    method: 'code',
    before: askForMail,
    request: (tab) => enterCode(tab, 'wrong'),
  },
  {
    name: 'a magic link with a wrong token',
    request: (tab, email) =>
      tab.request(`callback/email?${new URLSearchParams({ token: 'a'.repeat(64), email })}`),
  },
]

describe('existing and unknown accounts', () => {
  test.each(SCENARIOS)('have the same response, mails and work for $name', async (scenario) => {
    stopClock()
    // Loads modules and derives keys.
    await observe(scenario, 'bob@example.com')
    const existing = await observe(scenario, ADA)
    const unknown = await observe(scenario, UNKNOWN)
    expect(unknown).toEqual(existing)
    // The work was observed.
    expect(existing.work.hashes['createHmac']).toBeGreaterThan(0)
  })
})
