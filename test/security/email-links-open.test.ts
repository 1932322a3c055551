/** Of three open links of an address, only the newest one is valid. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import type { VerificationRequest } from '../../src/config/email.ts'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  followLink,
  locationOf,
  mailSite,
  requestLink,
  SENT,
  SPENT,
  submitAddress,
} from '../email.ts'
import type { MailSite, MailSiteOptions } from '../email.ts'
import { pass, stopClock } from '../sessions.ts'

const UNLIMITED: Partial<AuthConfig> = { protection: { limits: { mail: 'off' } } }
const HOME = 'https://app.test'
/** Redeeming a link does not delete the others, and there is no store. */
const PLAIN: MailSiteOptions = {
  methods: {
    deleteVerificationTokens: undefined,
    readRecords: undefined,
    listRecords: undefined,
    writeRecord: undefined,
    deleteRecords: undefined,
  },
}
const STORED: MailSiteOptions = { methods: { deleteVerificationTokens: undefined } }

const open = async (site: MailSite, link: string) =>
  locationOf(await followLink(browser(site.config), link))
const request = (site: MailSite, email?: string) => requestLink(browser(site.config), site, email)

afterEach(() => void vi.useRealTimers())

describe.each([
  ['a store', STORED],
  ['the memory of one process', PLAIN],
])('with %s', (_name, options) => {
  test('two links are valid, and the third one replaces both', async () => {
    const site = mailSite(UNLIMITED, options)
    const [first, second] = [await request(site), await request(site)]
    expect([await open(site, first), await open(site, second)]).toEqual([HOME, HOME])

    const other = mailSite(UNLIMITED, options)
    const links = [await request(other), await request(other), await request(other)]
    const answers = []
    for (const link of links) answers.push(await open(other, link))
    expect(answers).toEqual([SPENT, SPENT, HOME])
  })

  test('links of other addresses stay valid', async () => {
    const site = mailSite(UNLIMITED, options)
    const bob = await request(site, 'bob@example.com')
    for (let at = 0; at < 3; at++) await request(site)
    expect(await open(site, bob)).toBe(HOME)
  })

  test('links that have expired are not counted', async () => {
    stopClock()
    const site = mailSite(UNLIMITED, { ...options, provider: { maxAge: 600 } })
    await request(site)
    await request(site)
    await pass(601)
    const links = [await request(site), await request(site)]
    for (const link of links) expect(await open(site, link)).toBe(HOME)
  })

  test('a mail that was not sent retires no link', async () => {
    let fails = false
    const mails: VerificationRequest[] = []
    const sendVerificationRequest = (mail: VerificationRequest) => {
      if (fails) throw new Error('refused')
      mails.push(mail)
    }
    const site = {
      ...mailSite(UNLIMITED, { ...options, provider: { sendVerificationRequest } }),
      mails,
    }
    const links = [await request(site), await request(site)]
    fails = true
    await submitAddress(browser(site.config))
    for (const link of links) expect(await open(site, link)).toBe(HOME)
  })
})

test('three links are counted over two processes with one store', async () => {
  const adapter = MemoryAdapter()
  const sites = [0, 1].map(() => mailSite(UNLIMITED, { ...STORED, adapter })) as [
    MailSite,
    MailSite,
  ]
  const links = [await request(sites[0]), await request(sites[1]), await request(sites[0])]
  const answers = []
  for (const link of links) answers.push(await open(sites[1], link))
  expect(answers).toEqual([SPENT, SPENT, HOME])
})

test.each(['readRecords', 'writeRecord'] as const)(
  'a link is sent and valid while %s fails',
  async (method) => {
    const fail = () => Promise.reject(new Error('The store is down.'))
    const site = mailSite(UNLIMITED, { methods: { [method]: fail } })
    const tab = browser(site.config)
    expect(locationOf(await submitAddress(tab))).toBe(SENT)
    expect(await open(site, site.mails[0]?.url ?? '')).toBe(HOME)
    expect(site.log.errors).toMatchObject([{ type: 'AdapterError' }])
  },
)

test('the store contains neither addresses nor tokens', async () => {
  const site = mailSite(UNLIMITED)
  await request(site)
  const written = site.calls.filter(({ method }) => method === 'writeRecord')
  expect(written).toHaveLength(1)
  expect(JSON.stringify(written)).not.toContain(site.mails[0]?.token)
  expect(JSON.stringify(written)).not.toContain(ADA)
})

test('without protection, all links stay valid and the store is not called', async () => {
  const site = mailSite({ protection: 'off' }, STORED)
  const links = [await request(site), await request(site), await request(site)]
  const answers = []
  for (const link of links) answers.push(await open(site, link))
  expect(answers).toEqual([HOME, HOME, HOME])
  expect(site.calls.filter(({ method }) => /records?$/i.test(method))).toEqual([])
})
