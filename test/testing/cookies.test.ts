/** Cookies that `browser` of `lib-auth/testing` rejects, as browsers do. */
import { expect, test } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor } from '../config.ts'

const op = await issuer()

const withDomain = (domain: string): AuthConfig =>
  configFor(op, { cookies: { sessionToken: { options: { domain } } } }).config

test.each([
  ['example.com', 'https://example.com'],
  ['example.com', 'https://app.example.com'],
  ['.Example.com', 'https://app.example.com'],
])('the domain %s is accepted at %s', async (domain, origin) => {
  const tab = browser(withDomain(domain), { issuer: op, origin })
  await tab.signIn('op')
  expect(await tab.session()).not.toBeNull()
})

test.each(['https://preview.example.org', 'https://notexample.com', 'https://com'])(
  'the domain example.com is rejected at %s',
  async (origin) => {
    const tab = browser(withDomain('example.com'), { issuer: op, origin })
    const reason = `its Domain is example.com, but the host is ${new URL(origin).hostname}.`
    await expect(tab.signIn('op')).rejects.toThrow(reason)
  },
)
