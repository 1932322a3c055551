/** The target of a failed sign-in: what was used and charged, whatever else the request contains. */
import { expect, test } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import {
  ADA,
  enterCode,
  mailProvider,
  mailSite,
  requestCode,
  submitAddress,
  wrongCode,
} from '../../email.ts'

const DECOY = 'grace@example.com'
const DECOYS = { email: DECOY, username: DECOY, login: DECOY, phone: DECOY }

/** A site with a password and e-mail codes. */
function auditedSite(protection: AuthConfig['protection'], fields: Record<string, object>) {
  const { audit, events } = recordAudit({ identifiers: 'plain' })
  const mails: ReturnType<typeof mailSite>['mails'] = []
  const password = Credentials({ id: 'password', credentials: fields, authorize: () => null })
  const providers = [mailProvider(mails, { method: 'code' }), password]
  const { config } = mailSite({ protection, providers, audit, session: { strategy: 'jwt' } })
  const targets = () => events.map(({ target }) => target?.id)
  return { tab: browser(config), config, mails, targets }
}

const FORM = { username: {}, password: {} }

test.each<[string, AuthConfig['protection'], Record<string, object>, Record<string, string>]>([
  ['the field of the form', {}, FORM, { ...DECOYS, username: 'ada' }],
  ['the field of the form, without limits', 'off', FORM, { ...DECOYS, username: 'ada' }],
  ['the first field, without a form', {}, {}, { phone: 'ada' }],
  [
    'what protection.identifier returns',
    { identifier: ({ customer }) => String(customer) },
    {},
    { ...DECOYS, customer: 'ada' },
  ],
])('of a wrong password is %s', async (_name, protection, form, fields) => {
  const { tab, targets } = auditedSite(protection, form)
  await tab.post('callback/password', { ...fields, password: 'wrong' })
  expect(targets()).toEqual(['ada'])
})

test('of a form without a name is missing', async () => {
  const { tab, targets } = auditedSite({ identifier: () => null }, FORM)
  await tab.post('callback/password', { ...DECOYS, password: 'wrong' })
  expect(targets()).toEqual([undefined])
})

test('of a wrong code is the address that it was sent to', async () => {
  const site = auditedSite({ identifier: ({ username }) => String(username) }, FORM)
  const { tab, targets } = site
  await enterCode(tab, wrongCode(await requestCode(tab, site)), DECOYS)
  expect(targets()).toEqual([ADA])
})

test('of a code that this browser did not request is missing', async () => {
  const { tab, targets } = auditedSite({}, FORM)
  await enterCode(tab, '123456', DECOYS)
  expect(targets()).toEqual([undefined])
})

test('of a limited e-mail is its recipient', async () => {
  const { tab, targets } = auditedSite({ limits: { mail: { burst: 1, per: 60 } } }, FORM)
  for (let sent = 0; sent < 2; sent++)
    await submitAddress(tab, ' ADA@example.com', { username: DECOY, login: DECOY })
  expect(targets()).toEqual([ADA])
})

test('of a wrong magic link is its address', async () => {
  const { tab, targets } = auditedSite({}, FORM)
  const token = 'a'.repeat(64)
  await tab.post('callback/email', { token, email: ADA, username: DECOY, login: DECOY })
  expect(targets()).toEqual([ADA])
})
