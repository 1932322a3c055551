/** The names in a sign-in form: a guess is charged to the account it is for, whatever else the form contains. */
import { describe, expect, test } from 'vitest'
import type { CredentialsConfig } from '../../../src/core/config/credentials.ts'
import type { ProtectionOptions } from '../../../src/core/config/protection-options.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { browser } from '../../../src/testing/index.ts'
import {
  ADA,
  enterCode,
  locationOf,
  mailSite,
  requestCode,
  submitAddress,
  wrongCode,
} from '../../email.ts'
import { enter, SECRET, TYPED } from '../../config.ts'
import { BY_HEADER, outcome, site } from './site.ts'

const OWN = 'password of mallory'

/** A site whose attacker has accounts of their own; counts the guesses for all others. */
function attacked(
  accountOf: (credentials: Readonly<Record<string, unknown>>) => unknown,
  {
    form,
    protection = BY_HEADER,
  }: {
    form?: CredentialsConfig['credentials']
    protection?: ProtectionOptions
  } = {},
) {
  const guesses: unknown[] = []
  const authorize: CredentialsConfig['authorize'] = (credentials) => {
    const account = String(accountOf(credentials))
    const isOwn = /mallory|ADA/.test(account)
    if (!isOwn) guesses.push(account)
    return isOwn && credentials['password'] === OWN ? { id: account } : null
  }
  return { guesses, ...site(protection, { credentials: form, authorize, jsonValues: true }) }
}

async function send(tab: Browser, fields: Readonly<Record<string, unknown>>) {
  const json = { password: 'wrong', ...fields, csrfToken: await tab.csrfToken() }
  const headers = { 'x-auth-return-redirect': '1' }
  const response = await tab.request('callback/password', { method: 'POST', json, headers })
  const { url } = (await response.json()) as { url: string }
  return new URL(url).searchParams.get('error')
}

type Credentials = Readonly<Record<string, unknown>>

interface Attack {
  readonly accountOf: (credentials: Credentials) => unknown
  readonly form?: CredentialsConfig['credentials']
  readonly own: Credentials
  readonly victim: Credentials
}

/** The attacker has the name of the victim in a tenant of their own. */
function otherTenant(
  field: string,
  tenantOf: Credentials,
  { form = { [field]: {}, username: {}, password: {} } }: Pick<Attack, 'form'> = {},
): Attack {
  return {
    accountOf: ({ [field]: tenant, username }) => `${String(tenant).trim()}/${String(username)}`,
    form,
    own: { [field]: tenantOf['own'], username: 'admin' },
    victim: { [field]: tenantOf['victim'], username: 'admin' },
  }
}

const NAMED_TENANTS = { own: 'mallory', victim: 'example' }

const ATTACKS: readonly [string, Attack][] = [
  [
    'another field that authorize does not read',
    {
      accountOf: ({ email, username }) => email ?? username,
      own: { email: 'mallory', username: 'ada' },
      victim: { email: 'ada' },
    },
  ],
  [
    'another spelling, which authorize distinguishes',
    {
      accountOf: ({ username }) => username,
      form: { username: {}, password: {} },
      own: { username: 'ADA' },
      victim: { username: 'ada' },
    },
  ],
  ['another tenant', otherTenant('tenant', NAMED_TENANTS)],
  ['another tenant, in a field named a code', otherTenant('companyCode', NAMED_TENANTS)],
  ...['code', 'Code', 'CODE', 'code_1', 'code2'].map((field): [string, Attack] => [
    `another tenant, in a field named ${field}`,
    otherTenant(field, NAMED_TENANTS),
  ]),
  [
    'another tenant, in a field named code of a form without fields',
    otherTenant('code', NAMED_TENANTS, { form: {} }),
  ],
  ['another tenant, in a field named a key', otherTenant('customer_key', NAMED_TENANTS)],
  [
    'another tenant, in a hidden field',
    otherTenant('tenant', NAMED_TENANTS, {
      form: { tenant: { type: 'hidden' }, username: {}, password: {} },
    }),
  ],
  ['another tenant, of a form without fields', otherTenant('tenant', NAMED_TENANTS, { form: {} })],
  [
    'another tenant, with spaces',
    otherTenant('tenant', {
      own: `mallory${' '.repeat(255)}`,
      victim: `example${' '.repeat(255)}`,
    }),
  ],
  ['another tenant, that is not text', otherTenant('tenant', { own: ['mallory'], victim: 1 })],
]

describe('a browser that signed in to the account of the attacker is not known for a victim in', () => {
  test.each(ATTACKS)('%s', async (_name, { accountOf, form, own, victim }) => {
    const { guesses, from } = attacked(accountOf, { form })
    for (let round = 0; round < 3; round++) {
      const tab = from('192.0.2.1')
      const answer = await send(tab, { ...own, password: OWN })
      if (round === 0) expect(answer).toBeNull()
      for (let index = 0; index < 10; index++) await send(tab, victim)
    }
    expect(guesses).toHaveLength(5)
  })
})

test.each([
  ['code', { autocomplete: 'one-time-code' }],
  ['code', { autocomplete: 'section-login one-time-code' }],
  ['smsCode', {}],
  ['smsOtp', {}],
  ['backup_code', {}],
  ['two-factor-code', {}],
  ['totp', {}],
  ['challenge', {}],
  ['h-captcha-response', {}],
  ['rememberMe', { type: 'checkbox' }],
  ['Kennwort', {}],
  ['number', { autoComplete: 'one-time-code' }],
])('a browser is known whatever its field %s contains', async (field, input) => {
  const form = { username: {}, password: {}, [field]: input }
  const { from } = attacked(({ username }) => username, { form })
  const owner = from('192.0.2.1')
  const signIn = (tab: Browser, value: string) =>
    send(tab, { username: 'mallory', password: OWN, [field]: value })
  expect(await signIn(owner, '1')).toBeNull()
  for (let count = 0; count < 5; count++) await send(from('192.0.2.1'), { username: 'mallory' })
  expect(await signIn(from('192.0.2.1'), '2')).toBe('TooManyAttempts')
  expect(await signIn(owner, '2')).toBeNull()
})

test('a name in several fields is refunded once', async () => {
  const { guesses, from } = attacked(({ email }) => email, { protection: {} })
  for (let round = 0; round < 30; round++) {
    await send(from('192.0.2.1'), { email: 'ada' })
    const fields = { email: 'mallory', username: 'ada', login: 'ADA', phone: 'Ada' }
    await send(from('192.0.2.1'), { ...fields, password: OWN })
  }
  expect(guesses).toHaveLength(10)
})

describe('the same name at another host is another account', () => {
  const MALLORY = 'https://mallory.app.test'
  const VICTIM = 'https://victim.app.test'
  const KNOWN = '__Host-lib.known'

  /** Tenants by host, each with an "admin". */
  function tenants(identifier?: ProtectionOptions['identifier']) {
    const guesses: string[] = []
    const authorize: CredentialsConfig['authorize'] = ({ username, password }, request) => {
      const { hostname } = new URL(request.url)
      guesses.push(hostname)
      return password === `password of ${hostname}`
        ? { id: `${hostname}/${String(username)}` }
        : null
    }
    const { config } = site({ identifier }, { authorize })
    const at = (origin: string) => browser(config, { origin })
    const signIn = (tab: Browser, origin: string) =>
      send(tab, { username: 'admin', password: `password of ${new URL(origin).hostname}` })
    return { guesses, at, signIn }
  }

  test.each([
    ['the default fields', undefined],
    ['an identifier', ({ username }: Credentials) => String(username)],
  ])('guesses for one do not lock the other, with %s', async (_name, identifier) => {
    const { at, signIn } = tenants(identifier)
    for (let count = 0; count < 12; count++) await send(at(MALLORY), { username: 'admin' })
    expect(await signIn(at(MALLORY), MALLORY)).toBe('TooManyAttempts')
    expect(await signIn(at(VICTIM), VICTIM)).toBeNull()
  })

  test('a browser that is known for one is not known for the other', async () => {
    const { guesses, at, signIn } = tenants()
    for (let round = 0; round < 5; round++) {
      const own = at(MALLORY)
      expect(await signIn(own, MALLORY)).toBeNull()
      const tab = at(VICTIM)
      tab.cookies.set(KNOWN, own.cookies.get(KNOWN)?.value ?? '')
      for (let count = 0; count < 10; count++) await send(tab, { username: 'admin' })
    }
    expect(guesses.filter((host) => host === new URL(VICTIM).hostname)).toHaveLength(10)
  })

  test('mails and codes of one do not limit those of the other', async () => {
    const { config, mails } = mailSite({ protection: {} }, { provider: { method: 'code' } })
    const at = (origin: string) => browser(config, { origin })
    const wrong = async (origin: string) => {
      const tab = at(origin)
      const code = await requestCode(tab, { mails })
      for (let count = 1; count <= 5; count++) await enterCode(tab, wrongCode(code, count))
    }
    for (let count = 0; count < 2; count++) await wrong(MALLORY)
    for (let count = 0; count < 3; count++) await submitAddress(at(MALLORY))
    expect(mails).toHaveLength(3)
    const owner = at(VICTIM)
    expect(locationOf(await enterCode(owner, await requestCode(owner, { mails }, ADA)))).toBe(
      VICTIM,
    )
  })

  test('another port or protocol is the same host', async () => {
    const { guesses, at } = tenants()
    for (const origin of [
      VICTIM,
      `${VICTIM}:8443`,
      'http://victim.app.test',
      'http://VICTIM.app.test:1',
    ])
      for (let count = 0; count < 10; count++) await send(at(origin), { username: 'admin' })
    expect(guesses).toHaveLength(10)
  })

  test('identifier receives the request', async () => {
    const hosts: (string | null)[] = []
    const { at } = tenants(({ username }, request) => {
      hosts.push(request.method, request.headers.get('host') ?? new URL(request.url).host)
      return String(username)
    })
    await send(at(VICTIM), { username: 'admin' })
    expect(hosts).toEqual(['POST', 'victim.app.test'])
  })
})

describe('spellings of an account are the same', () => {
  test.each([
    [
      'telephone number',
      ['+15550100', '1 555 0100', '+1-555-0100', '+1 (555) 0100', '001.555.0100'],
    ],
    [
      'invisible characters',
      ['ada', 'ada\u200B', 'a\u200Bda', 'ad\u00ADa', '\u2060ada', 'ada\uFE0F'],
    ],
    ['case and compatibility', ['ada', 'aDA', ' ada ', 'Ada', 'ａｄａ', '𝐚𝐝𝐚', 'aDa', 'adA']],
    ['spaces and control characters', ['ada', 'a da', 'ada\u0000', 'a\u00A0da', '\u3000ada']],
    [
      'marks of any block',
      ['ada', 'a\u1ab0da', 'ad\u20d0a', 'ada\ufe20', 'a\u0483da', 'a\u05b0da', 'a\u0670da'],
    ],
    ['signs within a word', ['ada', 'a\u0640da', 'ad\u07faa', 'a\u0600da', 'ada\u{110bd}']],
    ['strokes and hooks', ['ordlhi', 'ørdlhi', 'Ørđłħı', 'ORÐLHİ', 'ǿɍɖƚɦɨ']],
    ['ligatures and thorns', ['aeoethss', 'æœþß', 'ÆŒÞẞ', 'ǣœþſs', 'ÆoeTHß']],
    ['digits', ['ada12', 'ada١٢', 'ada१२', 'ada❶❷', 'ada⓵➋', 'ada１２', 'ada①②']],
    [
      'numbers',
      ['4711', '04711', '+4711', '4711.0', '4711.000', '4.711e3', '0x1267', '4711E0', '47110e-1'],
    ],
    ['numbers of six digits', ['471100', '00471100', '471100.00', '4711e2', '0x7303C']],
    ['kana', ['かっつ', 'カッツ', 'ガヅッ', 'ｶｯﾂ', 'ゕつっ']],
    ['small katakana', ['アクシロ', 'アㇰシㇿ', 'あㇰㇱろ', 'ｱｸｼﾛ', 'ァㇰシㇿ']],
    ['bopomofo', ['ㄅㄨㄐ', 'ㆠㄨㄐ', 'ㄅㆨㆢ', 'ㆠㆫㆢ']],
    ['radicals', ['王小龙', '⺩小龙', '⺩⺌⻰', '王⼩龙', '⺩⺍⻰']],
    ['Arabic letters', ['امين', 'ࡰمين', 'ࢀ۾ين', 'ا۾ࢅن']],
    ['quotation marks', ["o'brien", 'o’brien', 'o‘brien', 'o‛brien', 'O׳Brien', 'o＇brien']],
    ['final letters', ['שלומ', 'שלום']],
    [
      'mailboxes',
      [
        'ada@example.com',
        'Ada@example.com',
        'ada+1@example.com',
        'a.d.a@example.com',
        'á.da+@example.com',
        'ada@example.com.',
        'Ada@EXAMPLE。com',
      ],
    ],
    [
      'domains in Unicode and in ASCII',
      [
        'ada@bücher.example',
        'ada@xn--bcher-kva.example',
        'Ada+1@XN--BCHER-KVA.example.',
        'ada@BU\u0308CHER.example',
      ],
    ],
    ['domains with and without accents', ['ada@bücher.example', 'ada@ｂｕｃｈｅｒ．example']],
    ['addresses of Gmail', ['ada@gmail.com', 'a.d.a@GoogleMail.com', 'ada+1@googlemail.com.']],
    ['addresses of Yahoo', ['ada@yahoo.com', 'ada-x@yahoo.com', 'Ada-shop-1@Yahoo.com']],
    ['addresses of iCloud', ['ada@icloud.com', 'ada@me.com', 'ada@mac.com']],
    ['addresses of Proton', ['ada@proton.me', 'a_d-a@protonmail.com', 'ada@pm.me']],
    [
      'combining letters as letters',
      ['ada', 'ad\u0363', '\u0363d\u0363', '\u1dd3\u0369a', 'a\u1dd8\u1df2'],
    ],
    [
      'combining letters as marks',
      ['ada', 'ad\u0363a', 'a\u1dd3d\u036fa', 'ada\u2de0', 'a\u06deda'],
    ],
    ['Cyrillic combining letters', ['иван', 'ив\u2df6н', '\ua675\u2de1\u2df6\u2de9']],
    ['signs with letters', ['ada', '🅐🅓🅐', '🅰da', 'ad🅰']],
    ['sharp s as one s', ['jonas', 'jonaß', 'JONAẞ']],
    ['characters that old collations do not distinguish', ['ada🦊', 'ada🐻', 'ada𓀀']],
    ['accents and capitals', ['strasse', 'straße', 'STRASSE', 'strássé', 'ſtrasse']],
  ])('%s', async (_name, spellings) => {
    const { guesses, from } = attacked(({ username }) => username)
    for (let round = 0; round < 4; round++)
      for (const username of spellings) await send(from('192.0.2.1'), { username })
    expect(guesses).toHaveLength(5)
  })
})

describe('what an application may remove from the field of a telephone number does not matter:', () => {
  const digits = (phone: unknown) => String(phone).replaceAll(/\D/g, '')

  test.each([
    [
      'signs and letters',
      digits,
      [
        '+15550100',
        '+1~555~0100',
        '+1\u2010555\u20110100',
        'tel:+15550100',
        '1a555b0100',
        '+1555x0100',
      ],
    ],
    [
      'an extension',
      (phone: unknown) => digits(String(phone).replace(/(?:;|#|e?xt?).*$/i, '')),
      [
        '+15550100',
        '+15550100 ext. 7',
        '+15550100;ext=8',
        '1 555 0100 x9',
        'tel:+15550100#3',
        '1.555.0100 EXT 2',
      ],
    ],
  ])('%s', async (_name, accountOf, spellings) => {
    const form = { phone: {}, password: {} }
    const { guesses, from } = attacked(({ phone }) => accountOf(phone), { form })
    for (let round = 0; round < 4; round++)
      for (const phone of spellings) await send(from('192.0.2.1'), { phone })
    expect(guesses).toHaveLength(5)
  })
})

describe('names that share no limit', () => {
  test.each([
    ['王小龙', '王小马'],
    ['ㄅㆤ', 'ㄅㆦ'],
    ['ada-x@example.com', 'ada@example.com'],
    ['ada@yahoo.com', 'ada@ymail.com'],
    ['ada@bücher.example', 'ada@xn--kcher-kva.example'],
    ['strasser', 'strase'],
  ])('%s and %s', async (first, second) => {
    const { guesses, from } = attacked(({ username }) => username)
    for (const username of [first, second])
      for (let count = 0; count < 6; count++) await send(from('192.0.2.1'), { username })
    expect(guesses).toHaveLength(10)
  })
})

test('a name that is read in two ways is refunded once', async () => {
  const { guesses, from } = attacked(({ username }) => username, { protection: {} })
  for (let round = 0; round < 30; round++) {
    await send(from('192.0.2.1'), { username: 'mallory' })
    await send(from('192.0.2.1'), { username: 'mallory\u0363', password: OWN })
    await send(from('192.0.2.1'), { username: 'ada' })
  }
  expect(guesses).toHaveLength(10)
})

describe('of a form with several names', () => {
  const TWO = { email: {}, username: {}, password: {} }

  test.each([
    ['two fields', { email: 'grace', username: 'ada' }, TWO],
    [
      'two fields, of which one is hidden',
      { email: 'grace', username: 'ada' },
      { ...TWO, username: { type: 'hidden' } },
    ],
    ['fields of a form without fields', { login: 'grace', phone: 'ada' }, {}],
  ])('all are charged: %s', async (_name, fields, form) => {
    const { guesses, from } = attacked(({ email, login }) => email ?? login, {
      form,
      protection: {},
    })
    for (let count = 0; count < 11; count++) await send(from('192.0.2.1'), fields)
    expect(guesses).toHaveLength(10)
    for (const [field] of Object.entries(fields))
      for (const name of ['ada', 'grace'])
        expect(await send(from('192.0.2.1'), { [field]: name })).toBe('TooManyAttempts')
  })

  test.each([
    ['a number', 5550100, '5550100'],
    ['a list', ['ada'], ['grace']],
    ['an object', { $ne: null }, { name: 'ada' }],
  ])('%s in JSON is a name', async (_name, first, second) => {
    const { guesses, from } = attacked(({ username }) => username, { protection: {} })
    for (const username of [first, second])
      for (let count = 0; count < 6; count++) await send(from('192.0.2.1'), { username })
    expect(guesses).toHaveLength(10)
  })

  test('an attacker with an own account does not use up the known browsers of another name', async () => {
    const { from } = attacked(({ email }) => email, { form: TWO, protection: {} })
    const isKnown = (tab: Browser) => tab.cookies.get('__Host-lib.known') !== undefined
    for (let count = 0; count < 12; count++) {
      const tab = from('192.0.2.1')
      await send(tab, { email: 'mallory', username: 'ADA', password: OWN })
      expect(isKnown(tab)).toBe(count < 10)
    }
    const owner = from('192.0.2.2')
    await send(owner, { email: 'ADA', password: OWN })
    expect(isKnown(owner)).toBe(true)
  })
})

test('a browser stays known for five accounts when the secret is rotated', async () => {
  const { config, from } = site({})
  const former = from('192.0.2.1')
  const names = ['1', '2', '3', '4', '5']
  const signIn = (tab: Browser, username: string) => enter(tab, { ...TYPED, username })
  for (const name of names) expect(await outcome(await signIn(former, name))).toBeNull()
  const rotated = browser({ ...config, secret: [`new ${SECRET}`, SECRET] })
  for (const { name, value } of former.cookies.all())
    if (name.includes('lib.known')) rotated.cookies.set(name, value)
  for (const name of ['5', '4']) await signIn(rotated, name)
  for (const name of names) {
    const stranger = browser({ ...config, secret: [`new ${SECRET}`, SECRET] })
    for (let count = 0; count < 10; count++)
      await enter(stranger, { ...TYPED, username: name, password: 'wrong' })
    expect(await outcome(await signIn(stranger, name))).toBe('TooManyAttempts')
    expect(await outcome(await signIn(rotated, name))).toBeNull()
  }
})
