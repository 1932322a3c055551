/** A mail that is not sent cannot be distinguished from one that is, by any byte of the response. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { EmailConfig } from '../../../src/core/config/email.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import {
  ADA,
  click,
  enterCode,
  linkIn,
  locationOf,
  mailSite,
  requestCode,
  SENT,
  submitAddress,
  wrongCode,
} from '../../email.ts'

const HOME = 'https://app.test'
const METHODS: readonly NonNullable<EmailConfig['method']>[] = ['link', 'code', 'both']

function siteFor(
  method: EmailConfig['method'],
  { protection = {}, callbacks }: Pick<AuthConfig, 'protection' | 'callbacks'> = {},
) {
  const adapter = MemoryAdapter()
  return { ...mailSite({ protection, callbacks }, { adapter, provider: { method } }), adapter }
}

/** Status and all headers; random parts are replaced by their lengths. */
async function bytes(response: Response) {
  const headers = [...response.headers].map(([name, value]) => {
    if (name !== 'set-cookie') return `${name}: ${value}`
    const [, cookie = '', sealed = '', attributes = ''] = /^([^=]*)=([^;]*)(.*)$/.exec(value) ?? []
    const randomName = cookie.replace(/(?<=lib\.state\.)[\da-f]{8}$/, '<random>')
    return `${name}: ${randomName}=<${sealed.length}>${attributes}`
  })
  return { status: response.status, headers, body: await response.text() }
}

const askFor = async (tab: Browser, address?: string) => {
  await tab.request('csrf')
  return bytes(await submitAddress(tab, address))
}

test.each(METHODS)(
  'a limited e-mail has the same response in another browser, with method %s',
  async (method) => {
    const { config, mails } = siteFor(method)
    const answers: unknown[] = []
    for (let count = 0; count < 6; count++) answers.push(await askFor(browser(config)))
    expect(mails).toHaveLength(3)
    expect(JSON.stringify(answers[0])).toContain('lib.state.')
    for (const answer of answers) expect(answer).toEqual(answers[0])
  },
)

test.each(METHODS)(
  'a limited e-mail has the same response in the same browser, with method %s',
  async (method) => {
    const limited = siteFor(method)
    const unlimited = siteFor(method, { protection: { limits: { mail: 'off' } } })
    const [tab, other] = [browser(limited.config), browser(unlimited.config)]
    for (let count = 0; count < 8; count++) expect(await askFor(tab)).toEqual(await askFor(other))
    expect([limited.mails.length, unlimited.mails.length]).toEqual([3, 8])
  },
)

test.each(METHODS)(
  'a limited e-mail to an address whose sign-up the application refuses has the same response, with method %s',
  async (method) => {
    const { config, mails, adapter } = siteFor(method, {
      callbacks: {
        signIn: async ({ user }) =>
          (await adapter.getUserByEmail(user.email ?? '')) !== null || SENT.replace(HOME, ''),
      },
    })
    await adapter.createUser({ id: 'ada', email: ADA, emailVerified: new Date() })
    const answers: unknown[] = []
    for (const address of [ADA, 'eve@example.com', 'bob@example.com'])
      for (let count = 0; count < 4; count++) answers.push(await askFor(browser(config), address))
    expect(mails).toHaveLength(3)
    for (const answer of answers) expect(answer).toEqual(answers[0])
  },
)

test.each(['code', 'both'] as const)(
  'an earlier code can still be entered after a limited e-mail, with method %s',
  async (method) => {
    const site = siteFor(method, { protection: { limits: { mail: { burst: 1, per: 900 } } } })
    const tab = browser(site.config)
    const code = await requestCode(tab, site)
    for (let count = 0; count < 12; count++) await submitAddress(tab, ADA, { callbackUrl: '/next' })
    expect(site.mails).toHaveLength(1)
    expect(locationOf(await enterCode(tab, code))).toBe(`${HOME}/next`)
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
  },
)

test('an earlier link still works after a limited e-mail', async () => {
  const site = siteFor('link')
  const tab = browser(site.config)
  for (let count = 0; count < 6; count++) await submitAddress(tab)
  expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(HOME)
})

test('a code for another address cannot be entered after a limited e-mail, as after one that was sent', async () => {
  const site = siteFor('code')
  for (let count = 0; count < 3; count++) await submitAddress(browser(site.config))
  const tab = browser(site.config)
  const code = await requestCode(tab, site, 'eve@example.com')
  await submitAddress(tab)
  await enterCode(tab, code)
  expect(await tab.session()).toBeNull()
})

describe.each(['code', 'both'] as const)(
  'wrong codes after a limited e-mail have the same response, with method %s',
  (method) => {
    const steps = (text: string) => [...text.matchAll(/mail|wrong/g)].map(([step]) => step)

    test.each([
      ['after five', 'mail mail wrong wrong wrong wrong wrong wrong'],
      ['in a browser without a code', 'wrong mail wrong wrong wrong wrong wrong wrong wrong'],
      ['after two of an earlier code', 'mail wrong wrong mail wrong wrong wrong wrong wrong wrong'],
      [
        'after five of an earlier code',
        'mail wrong wrong wrong wrong wrong mail wrong wrong wrong',
      ],
      ['after a mail in between', 'mail wrong mail wrong wrong mail wrong wrong wrong wrong'],
    ])('%s', async (_name, sequence) => {
      const limits = { code: { burst: 5, per: 3000 }, 'code.user': 'off' } as const
      const limited = siteFor(method, {
        protection: { limits: { ...limits, mail: { burst: 1, per: 900 } } },
      })
      const unlimited = siteFor(method, { protection: { limits: { ...limits, mail: 'off' } } })
      if (sequence.startsWith('wrong')) await submitAddress(browser(limited.config))
      const [tab, other] = [browser(limited.config), browser(unlimited.config)]
      await tab.request('csrf')
      await other.request('csrf')
      for (const step of steps(sequence)) {
        const act = async (each: Browser, { mails }: Pick<typeof limited, 'mails'>) =>
          step === 'mail'
            ? bytes(await submitAddress(each))
            : bytes(await enterCode(each, wrongCode(mails.at(-1)?.code ?? '000000')))
        expect(await act(tab, limited)).toEqual(await act(other, unlimited))
        const names = (each: Browser) =>
          each.cookies.all().map(({ name }) => name.replace(/[\da-f]{8}$/, ''))
        expect(names(tab)).toEqual(names(other))
      }
      expect(limited.mails).toHaveLength(1)
    })

    test('an earlier code has five tries, however many e-mails are limited', async () => {
      const site = siteFor(method, {
        protection: { limits: { mail: { burst: 1, per: 900 }, 'code.user': 'off' } },
      })
      const tab = browser(site.config)
      const code = await requestCode(tab, site)
      for (let at = 1; at <= 5; at++) {
        await submitAddress(tab)
        await enterCode(tab, wrongCode(code, at))
      }
      await submitAddress(tab)
      await enterCode(tab, code)
      expect(await tab.session()).toBeNull()
    })
  },
)
