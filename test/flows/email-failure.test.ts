import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import type { EmailConfig } from '../../src/config/email.ts'
import { ADA, submitAddress, click, followLink, locationOf, mailSite, SENT } from '../email.ts'
import { pass, stopClock, until } from '../sessions.ts'

const NOT_SENT = 'https://app.test/auth/signin?error=EmailSignInError'

type Send = NonNullable<EmailConfig['sendVerificationRequest']>

describe('a mail that cannot be sent', () => {
  const senders: [string, Send][] = [
    ['rejects', () => Promise.reject(new Error('550 no such mailbox'))],
    [
      'throws at once',
      () => {
        throw new Error('550 no such mailbox')
      },
    ],
    ['rejects with a string', () => Promise.reject('550 no such mailbox')],
  ]

  test.each(senders)(
    'redirects to the sign-in page and deletes the link if sending %s',
    async (_name, fail) => {
      const sent: string[] = []
      let isDown = true
      const site = mailSite(
        {},
        {
          provider: {
            sendVerificationRequest(request) {
              sent.push(request.url)
              return isDown ? fail(request) : undefined
            },
          },
        },
      )
      const tab = browser(site.config)
      const answer = await submitAddress(tab, ADA, { callbackUrl: '/board' })
      expect([answer.status, locationOf(answer)]).toEqual([302, NOT_SENT])
      expect(await (await tab.follow(answer)).text()).toContain('The e-mail could not be sent.')
      expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
      expect(tab.cookies.all().filter(({ name }) => name.includes('lib.state.'))).toEqual([])
      expect(locationOf(await followLink(tab, sent[0] ?? ''))).toContain('error=Verification')
      // The same action succeeds when it is repeated, and keeps the callbackUrl.
      isDown = false
      expect(locationOf(await submitAddress(tab))).toBe(SENT)
      expect(locationOf(await click(tab, sent[1] ?? ''))).toBe('https://app.test/board')
    },
  )

  test('is reported as JSON with its status, without the address', async () => {
    const [, fail = () => undefined] = senders[0] ?? []
    const site = mailSite({}, { provider: { sendVerificationRequest: fail } })
    const tab = browser(site.config)
    const json = { csrfToken: await tab.csrfToken(), email: ADA }
    const answer = await tab.request('signin/email', { method: 'POST', json })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: 'EmailSignInError', retryable: true })
    const asked = await tab.request('signin/email', {
      method: 'POST',
      form: { csrfToken: json.csrfToken, email: ADA },
      headers: { 'x-auth-return-redirect': '1' },
    })
    expect([asked.status, await asked.json()]).toEqual([200, { url: NOT_SENT }])
  })

  test('is logged without its link', async () => {
    const site = mailSite(
      {},
      {
        provider: {
          server: 'smtps://user:hunter2secret@smtp.test',
          apiKey: 'key-0123456789',
          sendVerificationRequest: ({ url, token, identifier, provider }) => {
            throw new Error(
              `${url} ${token} ${identifier} ${provider.apiKey} ${String(provider.server)}`,
            )
          },
        },
      },
    )
    await submitAddress(browser(site.config))
    const [error] = site.log.errors
    const cause = error?.cause as { err?: Error }
    expect(cause.err?.message).toBe('[redacted] [redacted] [redacted] [redacted] [redacted]')
    expect(cause.err?.stack).not.toMatch(/token=|hunter2|key-0123|ada@example/)
  })
})

describe('a mail that times out', () => {
  beforeEach(stopClock)
  afterEach(() => void vi.useRealTimers())

  test.each<[string, Send]>([
    ['it never settles', () => new Promise(() => undefined)],
    [
      'it rejects after the timeout',
      () => new Promise((_resolve, reject) => void setTimeout(reject, 12_000, new Error('late'))),
    ],
  ])('is reported as sent, and its link is valid: %s', async (_name, wait) => {
    let link = ''
    const site = mailSite(
      {},
      {
        provider: {
          sendVerificationRequest(request) {
            link = request.url
            return wait(request)
          },
        },
      },
    )
    const tab = browser(site.config)
    const answer = submitAddress(tab)
    await until(() => link !== '')
    await pass(9)
    expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting')
    await pass(1)
    expect(locationOf(await answer)).toBe(SENT)
    expect(site.log.errors).toMatchObject([{ type: 'EmailSignInError' }])
    await pass(5)
    expect(locationOf(await click(tab, link))).toBe('https://app.test')
    expect(await tab.session()).not.toBeNull()
  })
})
