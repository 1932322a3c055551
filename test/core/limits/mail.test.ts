/** Limits on e-mails: an exhausted limit looks like a mail that was sent. */
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import { ADA, followLink, mailSite, requestLink, SENT, submitAddress } from '../../email.ts'

const BY_HEADER: AuthConfig['protection'] = { clientAddress: { header: 'x-client' } }

function from(config: AuthConfig, address: string) {
  return browser(config, { headers: { 'x-client': address } })
}

describe('an address', () => {
  test('receives three mails in 15 minutes, and every response is the same', async () => {
    const { config, mails } = mailSite({ protection: BY_HEADER })
    const answers = new Set<string | null>()
    for (let index = 0; index < 50; index++) {
      const response = await submitAddress(from(config, `192.0.2.${index}`))
      answers.add(`${response.status} ${response.headers.get('location')}`)
    }
    expect(mails).toHaveLength(3)
    expect([...answers]).toEqual([`302 ${SENT}`])
  })

  test('is looked up neither before nor after the limit is exhausted', async () => {
    const { config, calls, mails } = mailSite({ protection: BY_HEADER })
    const tab = from(config, '192.0.2.1')
    for (let index = 0; index < 3; index++) await submitAddress(tab)
    calls.length = 0
    await submitAddress(tab)
    const methods = calls.map(({ method }) => method)
    expect(methods.filter((method) => !method.endsWith('Records'))).toEqual([])
    expect(mails).toHaveLength(3)
  })
})

test.each([
  ['spellings', [ADA, 'ADA@example.com', ' ada@EXAMPLE.com', 'Ada@Example.Com']],
  ['subaddresses', Array.from({ length: 6 }, (_, index) => `ada+${index}@example.com`)],
  ['dots', ['ada', 'a.da', 'ad.a', 'a.d.a', 'A.da', 'a.d.a+1'].map((name) => `${name}@gmail.com`)],
])('a mailbox with different %s receives three mails', async (_name, addresses) => {
  const { config, mails } = mailSite({ protection: BY_HEADER })
  for (const [index, address] of addresses.entries())
    await submitAddress(from(config, `192.0.2.${index}`), address)
  expect(mails).toHaveLength(3)
})

test('a mail that is not sent is logged, with the name of the limit and its key', async () => {
  const { config, log } = mailSite({ protection: BY_HEADER })
  for (let index = 0; index < 4; index++) await submitAddress(from(config, `192.0.2.${index}`))
  const limited = log.errors.map(({ message, cause }) => `${message} ${Object(cause).key}`)
  expect(limited.join()).toMatch(
    /^The limit "mail" is exhausted: the next attempt is available in 300 s\. .* limit:mail:[\da-f]{32}$/,
  )
})

test('one client sends ten mails in 15 minutes', async () => {
  const { config, mails } = mailSite({ protection: BY_HEADER })
  for (let index = 0; index < 40; index++)
    await submitAddress(from(config, '192.0.2.1'), `user-${index}@example.com`)
  expect(mails).toHaveLength(10)
})

test('a mail that the database prevents is not charged', async () => {
  let isDown = true
  const adapter = MemoryAdapter()
  const createVerificationToken: typeof adapter.createVerificationToken = (row) => {
    if (isDown) throw new Error('The database is down.')
    return adapter.createVerificationToken(row)
  }
  const { config, mails } = mailSite(
    { protection: BY_HEADER },
    { adapter, methods: { createVerificationToken } },
  )
  const tab = from(config, '192.0.2.1')
  for (let index = 0; index < 5; index++) await submitAddress(tab)
  isDown = false
  for (let index = 0; index < 5; index++) await submitAddress(tab)
  expect(mails).toHaveLength(3)
})

test.each(['new', 'known'])(
  'mails that the mail server rejects are charged to the client, and not to the recipient, in a %s browser',
  async (kind) => {
    const asked: string[] = []
    let isDown = false
    const { config, mails } = mailSite(
      { protection: BY_HEADER },
      {
        provider: {
          sendVerificationRequest: (request) => {
            asked.push(request.identifier)
            mails.push(request)
            if (isDown) throw new Error('The mail server rejects this recipient.')
          },
        },
      },
    )
    const tab = from(config, '192.0.2.1')
    if (kind === 'known')
      await followLink(tab, await requestLink(tab, { mails }, 'user-0@example.com'))
    isDown = true
    asked.length = 0
    for (let index = 0; index < 10; index++)
      for (let each = 0; each < 4; each++) await submitAddress(tab, `user-${each}@example.com`)
    expect(asked).toHaveLength(kind === 'known' ? 9 : 10)
    isDown = false
    asked.length = 0
    const other = from(config, '192.0.2.2')
    for (let index = 0; index < 5; index++) await submitAddress(other, 'user-1@example.com')
    expect(asked).toHaveLength(3)
  },
)

describe('the pages', () => {
  const LIMIT =
    'At most 3 e-mails in a row are sent to an address. After that, the next one can be sent after 5 minutes.'

  /** The page after a request, and the sign-in page that the browser returns to. */
  async function pagesAfter(tab: ReturnType<typeof browser>, address: string) {
    const answer = await submitAddress(tab, address)
    const sent = await (await tab.request(answer.headers.get('location') ?? '')).text()
    return [sent, await (await tab.request('signin')).text()]
  }

  test('show the limit once it is near, alike for sent, limited and unknown addresses', async () => {
    const { config, mails, adapter } = mailSite({ protection: BY_HEADER })
    await adapter.createUser({ id: 'ada', email: ADA, emailVerified: new Date() })
    const shown = new Map<string, number>()
    // The third browser requests mails to an address whose limit is exhausted.
    for (const address of [ADA, 'eve@example.com', ADA]) {
      const tab = from(config, '192.0.2.1')
      const near: boolean[] = []
      for (let index = 0; index < 4; index++) {
        const pages = await pagesAfter(tab, address)
        near.push(...pages.map((page) => page.includes(LIMIT)))
        const text = pages.join('').replaceAll(address, '')
        const plain = text.replaceAll(/nonce="[^"]*"|value="[^"]*"/g, '')
        shown.set(plain, (shown.get(plain) ?? 0) + 1)
      }
      expect(near).toEqual([false, false, true, true, true, true, true, true])
    }
    expect(mails).toHaveLength(6)
    expect([...shown.values()]).toEqual([3, 9])
  })

  test('count mails to one address only', async () => {
    const { config } = mailSite({ protection: BY_HEADER })
    const tab = from(config, '192.0.2.1')
    await pagesAfter(tab, ADA)
    for (const page of await pagesAfter(tab, 'eve@example.com')) expect(page).not.toContain(LIMIT)
  })

  test.each([
    [{ limits: { mail: { burst: 2, per: 3600 } } }, 'At most 2 e-mails in a row'],
    [{ limits: { mail: { burst: 2, per: 3600 } } }, 'the next one can be sent after 30 minutes'],
  ])('show the configured limit: %j', async (protection, text) => {
    const { config } = mailSite({ protection })
    for (const page of await pagesAfter(browser(config), ADA)) expect(page).toContain(text)
  })

  test.each(['off', { limits: { mail: 'off' } }] as const)(
    'show nothing without a limit: %j',
    async (protection) => {
      const { config } = mailSite({ protection })
      for (const page of await pagesAfter(browser(config), ADA))
        expect(page).not.toContain('e-mails')
    },
  )

  test('do not show it to a browser that has not requested a mail', async () => {
    const { config } = mailSite({ protection: BY_HEADER })
    expect(await (await browser(config).request('signin')).text()).not.toContain('At most')
  })
})
