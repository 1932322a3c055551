/** Limits on failed callbacks: guesses are limited, and other sites cannot exhaust the limit of their visitors. */
import { beforeEach, expect, test } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import { click, mailSite } from '../../email.ts'
import { site } from '../../oauth.ts'
import { outcome } from './site.ts'

const op = await issuer()
beforeEach(() => op.reset())

const protection: AuthConfig['protection'] = {
  clientAddress: { header: 'x-client' },
  limits: { callback: { burst: 3, per: 300 } },
}
const FROM_ADA = { headers: { 'x-client': '192.0.2.1' } }

function visited(checks?: readonly ('pkce' | 'state')[]) {
  return site(op, {
    config: { protection },
    browser: FROM_ADA,
    ...(checks && { provider: { checks: [...checks] } }),
  })
}

test.each([
  'callback/op?error=access_denied',
  'callback/op?code=1&state=2',
  'callback/op?code=1',
  `callback/op?state=${'x'.repeat(2000)}`,
])('requests that another site causes do not limit the sign-in of its visitor: %s', async (url) => {
  const visitor = visited()
  const { tab } = visitor
  const begun = await tab.begin('op')
  // Images have no cookies of the site; pages that a script of the other site opens do.
  for (let count = 0; count < 5; count++)
    for (const each of [visitor.open(), tab]) await each.request(url, { initiator: 'cross-site' })
  expect(await outcome(await begun.complete())).toBeNull()
})

test.each<[string, readonly ('pkce' | 'state')[] | undefined]>([
  ['state', undefined],
  ['PKCE alone', ['pkce']],
])('guessed codes are limited, with %s', async (_name, checks) => {
  const { tab } = visited(checks)
  const errors: (string | null)[] = []
  for (let count = 0; count < 5; count++) {
    const { url } = await tab.begin('op')
    const state = url.searchParams.get('state')
    const query = new URLSearchParams({ code: `guess ${count}`, ...(state && { state }) })
    errors.push(await outcome(await click(tab, `callback/op?${query}`)))
  }
  expect(errors.slice(0, 3)).not.toContain('TooManyAttempts')
  expect(errors.slice(3)).toEqual(['TooManyAttempts', 'TooManyAttempts'])
})

test('codes that are guessed with a copied cookie are limited', async () => {
  const attacker = visited()
  const { tab } = attacker
  const { url } = await tab.begin('op')
  const cookies = tab.cookies.all()
  const errors: (string | null)[] = []
  for (let count = 0; count < 5; count++) {
    const copy = attacker.open()
    for (const { name, value } of cookies) copy.cookies.set(name, value)
    const state = url.searchParams.get('state') ?? ''
    const query = new URLSearchParams({ code: `guess ${count}`, state })
    errors.push(await outcome(await click(copy, `callback/op?${query}`)))
  }
  expect(errors.slice(3)).toEqual(['TooManyAttempts', 'TooManyAttempts'])
})

test('magic links that another site requests do not limit the confirmation of a link', async () => {
  const { config, mails } = mailSite({ protection })
  const tab = browser(config, FROM_ADA)
  for (let count = 0; count < 5; count++) await click(tab, 'callback/email?token=1')
  expect(mails).toEqual([])
  const answers: (string | null)[] = []
  for (let count = 0; count < 5; count++) {
    const fields = { token: `${count}`.repeat(64), email: 'ada@example.com' }
    answers.push(await outcome(await tab.post('callback/email', fields)))
  }
  expect(answers).toEqual([
    ...Array.from({ length: 3 }, () => 'Verification'),
    ...Array.from({ length: 2 }, () => 'TooManyAttempts'),
  ])
})
