/** The sign-in page has one form for the address and a password; each method receives its own fields. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CredentialFields } from '../../../src/core/config/credentials.ts'
import type { VerificationRequest } from '../../../src/core/config/email.ts'
import type { AuthConfig } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import { browser } from '../../../src/testing/index.ts'
import { recordAudit } from '../../audit.ts'
import { ADA, hiddenFields, mailProvider, mailSite } from '../../email.ts'

const PASSWORD = 'correct horse battery staple'
const FIELDS: CredentialFields = { email: {}, password: {}, pin: { label: 'PIN' } }

afterEach(() => void vi.restoreAllMocks())

function siteWith(fields: CredentialFields | undefined, overrides: Partial<AuthConfig> = {}) {
  const authorize = vi.fn((_credentials: object, _request: Request) => null)
  const mails: VerificationRequest[] = []
  const { audit, events } = recordAudit()
  const password = Credentials({ ...(fields && { credentials: fields }), authorize })
  const providers = [password, mailProvider(mails)]
  const site = mailSite({ providers, audit, session: { strategy: 'jwt' }, ...overrides })
  return { ...site, mails, events, authorize, tab: browser(site.config) }
}

const typed = { email: ADA, password: PASSWORD, pin: '1234', locale: 'de', theme: 'dark' }

async function fieldsOf(request: Request | undefined): Promise<object> {
  const text = (await request?.text()) ?? ''
  const isJson = request?.headers.get('content-type')?.includes('json')
  return isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
}

describe.each(['form', 'json'] as const)('a mail that is requested with a %s', (kind) => {
  test.each<[string, CredentialFields | undefined, string[]]>([
    ['declares its fields', FIELDS, ['callbackUrl', 'csrfToken', 'email', 'locale', 'theme']],
    ['declares none', undefined, ['callbackUrl', 'csrfToken', 'email', 'locale', 'pin', 'theme']],
  ])('has no fields of a credentials provider that %s', async (_case, fields, names) => {
    const { tab, mails } = siteWith(fields)
    const csrfToken = await tab.csrfToken()
    const body = { ...typed, csrfToken, callbackUrl: '/a' }
    await tab.request('signin/email', { method: 'POST', [kind]: body })
    const received = await fieldsOf(mails[0]?.request)
    expect(Object.keys(received).toSorted()).toEqual(names)
    expect(received).toMatchObject({ email: ADA, callbackUrl: '/a', locale: 'de' })
  })

  test('keeps its request as it is without such fields', async () => {
    const { tab, mails } = siteWith(FIELDS)
    const sent = { email: ADA, locale: 'de', csrfToken: await tab.csrfToken() }
    await tab.request('signin/email', { method: 'POST', [kind]: sent })
    expect(await fieldsOf(mails[0]?.request)).toEqual(sent)
  })
})

test('the log and the audit log never contain what was typed for another method', async () => {
  const lines: unknown[] = []
  for (const method of ['log', 'warn', 'error', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...line) => void lines.push(...line))
  const fail = async ({ request }: VerificationRequest) => {
    throw new Error(`not sent: ${await request.text()}`)
  }
  for (const sendVerificationRequest of [undefined, fail]) {
    const own = { ...(sendVerificationRequest && { sendVerificationRequest }) }
    const providers = [
      Credentials({ credentials: FIELDS, authorize: () => null }),
      mailProvider([], own),
    ]
    const site = siteWith(FIELDS, { providers, logger: undefined, debug: true })
    await site.tab.post('signin/email', typed)
    expect(JSON.stringify(site.events)).not.toContain(PASSWORD)
  }
  expect(lines).not.toEqual([])
  expect(lines.map(String).join('\n')).not.toContain(PASSWORD)
})

test('authorize receives the fields of its form from the page that both methods share', async () => {
  const { tab, authorize } = siteWith(FIELDS)
  const page = await (await tab.request('signin')).text()
  expect(page).toContain('formaction="https://app.test/auth/callback/credentials"')
  const own = { email: ADA, password: PASSWORD, pin: '1234' }
  await tab.request('callback/credentials', {
    method: 'POST',
    form: { ...hiddenFields(page), ...own },
  })
  expect(authorize.mock.lastCall?.[0]).toEqual(own)
})
