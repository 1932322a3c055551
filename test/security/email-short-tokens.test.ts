/** Tokens of the application that are short enough to be guessed. */
import { describe, expect, test } from 'vitest'
import { browser } from '../../src/testing/index.ts'
import {
  ADA,
  click,
  enterCode,
  linkIn,
  locationOf,
  mailSite,
  requestCode,
  requestLink,
  SPENT,
  submitAddress,
  withParameters,
  WRONG,
} from '../email.ts'

const HOME = 'https://app.test'

describe('a generateVerificationToken whose result could be guessed', () => {
  const short = (token: string) =>
    mailSite({}, { provider: { generateVerificationToken: () => token } })

  test.each([
    '123456',
    '123 456',
    '123456789012',
    '1234567890123456789',
    '1234-5678-9012-3456',
    '1234_5678_9012_3456',
    '１２３４５６７８９０１２',
    'aB3-xY9',
    '0123456789abcde',
    '0123-4567-89AB-CDE',
    'ABCDEFGHIJKL',
    'k3j9-x2m7-q8w1',
    'nG8-x_dR2k',
  ])('generates a code: %s', async (token) => {
    const site = short(token)
    const tab = browser(site.config)
    expect(await requestCode(tab, site)).toBe(token)
    expect(site.mails[0]?.token).toBe(token)
    const lifetime = (site.mails[0]?.expires.getTime() ?? 0) - Date.now()
    expect(lifetime).toBeGreaterThan(590_000)
    expect(lifetime).toBeLessThanOrEqual(600_000)
    expect(locationOf(await enterCode(tab, token))).toBe(HOME)
  })

  test('signs in from a page of the application that opens the link, in the same browser only', async () => {
    const site = short('123456')
    const [tab, other] = [browser(site.config), browser(site.config)]
    const link = await requestLink(tab, site)
    expect(new URL(link).searchParams.get('token')).toBe('123456')
    expect(locationOf(await other.request(link))).toBe(WRONG)
    expect(locationOf(await tab.request(withParameters(link, { email: 'eve@example.com' })))).toBe(
      WRONG,
    )
    expect(locationOf(await tab.request(link))).toBe(HOME)
    expect(await tab.session()).toMatchObject({ user: { email: ADA } })
    expect(await other.session()).toBeNull()
  })

  test('has five tries with a link', async () => {
    const site = short('123456')
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    for (let at = 1; at <= 5; at++)
      expect(locationOf(await tab.request(withParameters(link, { token: `12345${at}` })))).toBe(
        WRONG,
      )
    expect(locationOf(await tab.request(link))).toBe(WRONG)
    expect(await tab.session()).toBeNull()
  })

  test('loses no try to a page of another site', async () => {
    const site = short('123456')
    const tab = browser(site.config)
    const link = await requestLink(tab, site)
    for (let at = 1; at <= 6; at++) {
      const forged = await click(tab, withParameters(link, { token: `12345${at}` }))
      expect(locationOf(forged)).toBe(
        'https://app.test/auth/verify-request?provider=email&type=email',
      )
    }
    expect(locationOf(await tab.request(link))).toBe(HOME)
  })

  test.each([
    ['20 digits', '12345678901234567890'],
    ['16 hexadecimal digits', '0123456789abcdef'],
    ['UUID version 4', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
    ['base36', 'k3j9x2m7q8w1z'],
    ['base32', 'MFRGGZDFMZTWQ2LK'],
    ['8 bytes in base64url', 'nG8-x_dR2kA'],
    ['nanoid(12)', 'V1StGXR8_Z5j'],
    ['nanoid(21)', 'V1StGXR8_Z5jdHi6B-myT'],
  ])('does not apply to a longer one: %s', async (_name, token) => {
    const site = short(token)
    const link = await requestLink(browser(site.config), site)
    expect(site.mails[0]?.code).toBeUndefined()
    const phone = browser(site.config)
    expect((await click(phone, link)).status).toBe(200)
  })

  test.each(['1', '12345', '12-34-5'])('is rejected with an instruction: %s', async (token) => {
    const site = short(token)
    const answer = await submitAddress(browser(site.config))
    expect(answer.status).toBe(500)
    expect(site.mails).toEqual([])
    expect(site.log.errors).toMatchObject([
      {
        type: 'InvalidConfiguration',
        message: expect.stringContaining('at least 6 random digits'),
      },
    ])
  })

  test('is the code of a mail that has a link, too', async () => {
    const generateVerificationToken = () => 'XK-4711-QP'
    const site = mailSite({}, { provider: { method: 'both', generateVerificationToken } })
    const tab = browser(site.config)
    expect(await requestCode(tab, site)).toBe('XK-4711-QP')
    expect(site.mails[0]?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(locationOf(await enterCode(tab, 'XK4711QP'))).toBe(HOME)
    expect(locationOf(await click(tab, linkIn(site.mails)))).toBe(SPENT)
  })
})
