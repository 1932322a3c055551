import { afterEach, expect, test, vi } from 'vitest'
import { CredentialsSignin } from '../../../src/errors.ts'
import { browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'
import { ADA, mailedSite } from '../password/password-site.ts'

afterEach(() => void vi.restoreAllMocks())

class SecondFactor extends CredentialsSignin {
  override code = 'second_factor\n[auth][error] forged'
}

test.each([
  ['second_factor', 'The credentials were rejected.', () => Promise.reject(new SecondFactor())],
  ['second_factor', 'Locked.', () => Promise.reject(new SecondFactor('Locked'))],
  ['credentials', 'The authorize function returned no user.', () => null],
])(
  'a rejected sign-in logs the code %s and a message in one line: %s',
  async (code, message, authorize) => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const { config } = passwordConfig({ logger: undefined }, { authorize })
    await enter(browser(config))
    const lines = info.mock.calls.flat().join('\n').split('\n')
    expect(lines).toEqual([expect.stringContaining(`[code: ${code}`)])
    expect(lines[0]).toContain(`[auth][info] CredentialsSignin: ${message} Read more: `)
  },
)

test('a password of the library that is wrong or rejected says so, without an authorize function', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const tab = mailedSite('jwt', { config: { logger: undefined } }).open()
  await tab.post('callback/password', { email: ADA, password: 'wrong' })
  expect(String(info.mock.lastCall)).toContain('No user has this e-mail address and this password.')
  await tab.post('password/sign-up', { email: ADA, password: 'short' })
  expect(String(info.mock.lastCall)).toMatch(/PasswordRejected: .* \[code: too_short\]$/)
})

test('the line of an exhausted limit ends with its key, which its message does not contain', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const protection = { limits: { 'password.account': { burst: 1, per: 900 } } }
  const { config } = passwordConfig({ logger: undefined, protection }, { authorize: () => null })
  for (let attempt = 0; attempt < 2; attempt++) await enter(browser(config))
  expect(String(info.mock.lastCall)).toMatch(
    /TooManyAttempts: The limit "password\.account" .* \[key: limit:password\.account:[\da-f]{32}(?::no-address)?\]$/,
  )
})
