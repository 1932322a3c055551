// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { AuthConfig, CallbacksOptions } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import { passwordConfig } from '../../config.ts'
import type { CustomMessages } from '../../../src/core/pages/messages.ts'
import { german } from '../../../examples/messages/german.ts'

type Providers = NonNullable<AuthConfig['providers']>

const GITHUB = {
  id: 'github',
  name: 'GitHub',
  type: 'oauth',
  clientId: 'id',
  clientSecret: 'secret',
  authorization: 'https://github.test/authorize',
  token: 'https://github.test/token',
  userinfo: 'https://github.test/user',
} as const

const numbered = (at: number) => Object.assign({}, GITHUB, { id: `g${at}`, name: `G${at}` })

const MAIL = {
  id: 'mail',
  name: 'e-mail',
  type: 'email',
  sendVerificationRequest: () => undefined,
} as const

function credentials(id: string, overrides: Partial<CredentialsConfig> = {}): CredentialsConfig {
  return {
    id,
    name: id,
    type: 'credentials',
    credentials: {},
    authorize: () => ({ id: `${id}:1`, name: id }),
    ...overrides,
  }
}

const GUEST = credentials('guest', { name: 'Guest' })
const FIELDS = { email: {}, password: { type: 'password' } }
const PASSWORD = credentials('password', {
  name: 'Password',
  credentials: FIELDS,
  authorize: () => null,
})

type Overrides = Partial<AuthConfig> & { callbacks?: CallbacksOptions }

function siteWith(providers: Providers, overrides: Overrides = {}) {
  const session = { strategy: 'jwt' } as const
  const { config } = passwordConfig({ providers, session, adapter: MemoryAdapter(), ...overrides })
  return browser(config)
}

async function documentOf(response: Response | Promise<Response>): Promise<Document> {
  return new DOMParser().parseFromString(await (await response).text(), 'text/html')
}

const textOf = (element: Element): string => {
  const copy = element.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  return copy.textContent.replace(/\s+/g, ' ').trim()
}

function parts(document: Document): string[] {
  const shown = 'button:not([aria-hidden]), summary, [role=separator], input:not([type=hidden])'
  return [...document.querySelectorAll(shown)]
    .filter((each) => !each.closest('details:not([open])') || each.localName === 'summary')
    .map((each) => {
      const name = each.getAttribute('name') ?? textOf(each)
      return each.classList.contains('primary') ? `${name}*` : name
    })
}

describe('a guest has a button with the name of the provider', () => {
  const other = credentials('tenant', { name: 'Tenant', credentials: { tenant: {}, ...FIELDS } })
  const second = credentials('visitor', { name: 'Visitor' })
  const tenant = { tenant: { type: 'hidden', value: 'acme' } }
  test.each<[string, Providers, string[]]>([
    ['alone', [GUEST], ['Continue as Guest*']],
    ['with a provider', [GUEST, GITHUB], ['Continue with GitHub*', 'Continue as Guest']],
    ['with e-mail', [GUEST, MAIL], ['Continue as Guest', 'or', 'email', 'Continue with e-mail*']],
    [
      'with a password',
      [GUEST, PASSWORD],
      ['Continue as Guest', 'or', 'email', 'password', 'Sign in*'],
    ],
    [
      'with e-mail and a password',
      [GUEST, PASSWORD, MAIL],
      ['Continue as Guest', 'or', 'email', 'Continue with e-mail*', 'Use a password'],
    ],
    [
      'with two forms',
      [PASSWORD, GUEST, other],
      ['Continue as Guest', 'or', 'email', 'password', 'Sign in*', 'Continue with Tenant'],
    ],
    ['with another guest', [GUEST, second], ['Continue as Guest*', 'Continue as Visitor']],
    ['with a hidden field', [{ ...GUEST, credentials: tenant }], ['Continue as Guest*']],
    ['without a name', [{ ...GUEST, name: 'Credentials' }], ['Sign in*']],
    [
      'with six providers',
      [...[1, 2, 3, 4, 5, 6].map(numbered), GUEST],
      [
        ...[1, 2, 3, 4].map((at) => `Continue with G${at}${at === 1 ? '*' : ''}`),
        'Continue as Guest',
        'More ways to sign in',
      ],
    ],
  ])('%s', async (_name, providers, expected) => {
    expect(parts(await documentOf(siteWith(providers).request('signin')))).toEqual(expected)
  })

  test('is translated to German, also if the table of texts lacks the special text', async () => {
    const { continueAs, ...older } = german
    const label = async (messages: CustomMessages) =>
      parts(await documentOf(siteWith([GUEST], { theme: { messages } }).request('signin')))
    expect(await label(german)).toEqual(['Als Guest fortfahren*'])
    expect(await label(older)).toEqual(['Weiter mit Guest*'])
    expect(continueAs).toContain('{provider}')
  })
})

test('the button signs the guest in, with the hidden fields', async () => {
  const received: unknown[] = []
  const guest = credentials('guest', {
    credentials: { tenant: { type: 'hidden', value: 'acme' } },
    authorize: (values) => (received.push(values), { id: 'guest:1', name: 'Guest' }),
  })
  const tab = siteWith([GITHUB, guest])
  const document = await documentOf(tab.request('signin'))
  const form = document.querySelector('form[action$="/callback/guest"]')
  expect(form?.querySelectorAll('label')).toHaveLength(0)
  const fields = [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }) => [
    name,
    value,
  ])
  await tab.request(form?.getAttribute('action') ?? '', {
    method: 'POST',
    form: Object.fromEntries(fields) as Record<string, string>,
  })
  expect((await tab.session())?.user?.name).toBe('Guest')
  expect(received).toEqual([{ tenant: 'acme' }])
})

test('a refused guest is not told that a password is wrong', async () => {
  const refused = { ...GUEST, authorize: () => null }
  for (const providers of [[refused], [refused, PASSWORD], [PASSWORD, refused]]) {
    const tab = siteWith(providers)
    const document = await documentOf(tab.follow(await tab.post('callback/guest')))
    expect([...document.querySelectorAll('[role=alert]')].map(textOf)).toEqual([
      'Unable to sign in. Try again.',
    ])
    expect(document.querySelector('[aria-invalid]')).toBeNull()
  }
  const tab = siteWith([refused, PASSWORD])
  const typed = { email: 'ada@example.com', password: 'x' }
  const document = await documentOf(tab.follow(await tab.post('callback/password', typed)))
  expect(textOf(document.querySelector('[role=alert]') as Element)).toBe(
    'The e-mail address or the password is wrong.',
  )
})

test('a hidden field of a form has no label, and not the focus', async () => {
  const fields = { tenant: { type: 'hidden', value: 'acme' }, username: {}, ...FIELDS }
  const tab = siteWith([{ ...PASSWORD, credentials: fields }])
  const document = await documentOf(tab.request('signin'))
  expect([...document.querySelectorAll('label')].map(textOf)).not.toContain('tenant')
  expect(document.querySelector<HTMLInputElement>('[name=tenant]')?.value).toBe('acme')
  expect(document.querySelector('[autofocus]')?.getAttribute('name')).toBe('username')
})
