// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { french } from '../../../examples/messages/french.ts'
import { german } from '../../../examples/messages/german.ts'
import type { CredentialFields } from '../../../src/core/config/credentials.ts'
import * as forms from '../../../src/core/pages/passkey-form.ts'
import type { CustomMessages } from '../../../src/core/pages/messages.ts'
import { signInPage } from '../../../src/core/pages/sign-in-page.ts'
import type { SignInChoice } from '../../../src/core/pages/sign-in-content.ts'

const routes = { signinUrl: 'https://a.test/signin/x', callbackUrl: 'https://a.test/callback/x' }

function choice(id: string, offer: SignInChoice['provider']['offer']): SignInChoice {
  return { provider: { id, name: `The ${id}`, offer }, routes }
}

const fields = {
  username: { label: 'User name' },
  password: { type: 'password' },
  remember: { type: 'checkbox', label: 'Remember me' },
}
const own = choice('own', { kind: 'form', fields })
const mail = choice('mail', { kind: 'email' })
const [one, two] = ['one', 'two'].map((id) =>
  choice(id, { kind: 'button', brandColor: undefined }),
) as [SignInChoice, SignInChoice]

const site = { theme: {}, host: 'a.test', hidden: { csrfToken: 'token' } }
const parse = (text: string) => new DOMParser().parseFromString(text, 'text/html')
const show = (content: Partial<Parameters<typeof signInPage>[0]>) =>
  parse(signInPage({ ...site, choices: [mail, own], error: null, ...content }).text)

describe('the sign-in page', () => {
  test('is titled with the name of the application, else with the host', () => {
    expect(show({}).title).toBe('Sign in to a.test')
    expect(show({ theme: { name: 'Acme' } }).title).toBe('Sign in to Acme')
    expect(show({ theme: { name: 'Acme' } }).querySelector('.brand')?.textContent).toBe('A')
  })

  test('has one primary action', () => {
    const primary = (choices: SignInChoice[]) =>
      [...show({ choices }).querySelectorAll('.primary')]
        .filter((each) => !each.closest('details'))
        .map((each) => each.textContent.replace(/\s+/g, ' ').trim())
    expect(primary([one, two])).toEqual(['T Continue with The one'])
    expect(primary([one, mail, own])).toEqual(['Continue with The mail'])
    expect(primary([own, one])).toEqual(['Sign in'])
    expect(primary([own, mail])).toEqual(['Continue with The mail'])
  })

  test('puts the focus into the first field of the open form', () => {
    const focused = (choices: SignInChoice[]) =>
      [...show({ choices }).querySelectorAll('[autofocus]')].map(({ id }) => id)
    expect(focused([one, mail, own])).toEqual(['input-email-for-mail-provider'])
    expect(focused([own, mail])).toEqual(['input-email-for-mail-provider'])
    expect(focused([own])).toEqual(['input-username-for-own-provider'])
    const code = { ...fields, code: { autoFocus: true } }
    expect(focused([choice('own', { kind: 'form', fields: code })])).toEqual([
      'input-code-for-own-provider',
    ])
  })

  test('opens the rejected form, with its error at the password', () => {
    const rejected = { form: 'own', values: { username: 'ada', password: 'typed' } }
    const document = show({ error: 'CredentialsSignin', rejected })
    const invalid = document.querySelector('[aria-invalid=true]')
    expect(invalid?.id).toBe('input-password-for-own-provider')
    expect(invalid?.closest('details')?.open).toBe(true)
    expect(invalid?.hasAttribute('autofocus')).toBe(true)
    expect(invalid?.hasAttribute('value')).toBe(false)
    expect(document.getElementById('input-username-for-own-provider')).toMatchObject({
      value: 'ada',
    })
    expect(document.querySelectorAll('[autofocus]')).toHaveLength(1)
  })

  test('shows its error at the field, which has the focus', () => {
    const document = show({ error: 'EmailSignInError' })
    const input = document.querySelector('[aria-invalid=true]')
    expect(input?.id).toBe('input-email-for-mail-provider')
    expect(input?.hasAttribute('autofocus')).toBe(true)
    const hint = document.getElementById(input?.getAttribute('aria-describedby') ?? '')
    expect(hint?.getAttribute('role')).toBe('alert')
    expect(hint?.textContent).toBe('The e-mail could not be sent. Check the address and try again.')
  })
})

const secret = { password: { type: 'password' } }
const DETAILS = 'Sign-in failed. Check that the details you entered are correct.'
const ADDRESS = 'The e-mail address or the password is wrong.'

describe('a rejected password', () => {
  test.each<[string, CredentialFields, string]>([
    ['an address', { email: {}, ...secret }, ADDRESS],
    ['a field of type email', { login: { type: 'email' }, ...secret }, ADDRESS],
    ['a checkbox as well', { email: {}, ...secret, remember: { type: 'checkbox' } }, ADDRESS],
    ['a user name', { username: {}, ...secret }, 'The user name or the password is wrong.'],
    ['a user name or address', { username: { label: 'User name or e-mail' }, ...secret }, DETAILS],
    ['another code', { email: {}, ...secret, totp: {} }, DETAILS],
    ['a tenant', { tenant: {}, email: {}, ...secret }, DETAILS],
    ['a customer number', { customer: {}, ...secret }, DETAILS],
    ['no password', { email: {} }, DETAILS],
  ])('names the fields of a form with %s', (_name, credentials, expected) => {
    const choices = [choice('own', { kind: 'form', fields: credentials })]
    const alerts = (messages: CustomMessages) =>
      [
        ...show({ choices, error: 'CredentialsSignin', theme: { messages } }).querySelectorAll(
          '[role=alert]',
        ),
      ].map((each) => each.textContent)
    expect(alerts({})).toEqual([expected])
    expect(alerts({ credentialsRejected: 'Wrong.' })).toEqual(['Wrong.'])
  })
})

describe('the time until the next attempt', () => {
  test.each([
    [61, {}, 'Try again in 2 minutes'],
    [1, {}, 'Try again in 1 minute'],
    [7141, {}, 'Try again in 2 hours'],
    [86_400, {}, 'Try again in 24 hours'],
    [61, german, 'in 2 Minuten'],
    [60, french, 'dans 1 minute,'],
    [61, { lang: 'no language' }, 'in 2 minutes'],
    [61, { tooManyAttemptsOr: '{minutes} min' }, '2 min'],
  ])('is written out: %i s', (retryAfter, messages, expected) => {
    const document = show({ error: 'TooManyAttempts', retryAfter, theme: { messages } })
    expect(document.querySelector('[role=alert]')?.textContent).toContain(expected)
  })
})

describe('a provider that sends mails', () => {
  const label = (name: string, messages: CustomMessages = {}) => {
    const provider = { id: 'nodemailer', name, offer: { kind: 'email' } } as const
    const document = show({ choices: [{ provider, routes }], theme: { messages } })
    return document.querySelector('.primary')?.textContent.trim()
  }

  test('is called e-mail, unless the application has named it', () => {
    expect(label('e-mail')).toBe('Continue with e-mail')
    expect(label('Email')).toBe('Continue with e-mail')
    expect(label('Acme mail')).toBe('Continue with Acme mail')
    expect(label('e-mail', german)).toBe('Weiter mit E-Mail')
    expect(label('e-mail', { continueWith: 'Log in with {provider}' })).toBe('Log in with e-mail')
  })
})

const button = (name: string) => choice(name, { kind: 'button', brandColor: undefined })
const passkeyFields = {
  email: { type: 'email', label: 'Email', autocomplete: 'username webauthn' },
}
const key: SignInChoice = {
  provider: {
    id: 'key',
    name: 'Passkey',
    offer: { kind: 'passkey', fields: passkeyFields, autofill: true },
  },
  routes,
}
const routesOf = (id: string) => ({
  signinUrl: `https://a.test/signin/${id}`,
  callbackUrl: `https://a.test/callback/${id}`,
})
const post: SignInChoice = {
  provider: { id: 'post', name: 'e-mail', offer: { kind: 'email' } },
  routes: routesOf('post'),
}
const address: SignInChoice = {
  provider: {
    id: 'pw',
    name: 'Credentials',
    offer: {
      kind: 'form',
      fields: { email: {}, password: { type: 'password', required: true, minLength: 8 } },
    },
  },
  routes: routesOf('pw'),
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((each) =>
    permutations(all.filter((other) => other !== each)).map((rest) => [each].concat(rest)),
  )
}

/** Every combination of methods. */
const sets = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) =>
  [0, 1, 6].map((count) => ({
    name: `${['passkey', 'e-mail', 'password'].filter((_each, at) => bits & (1 << at)).join(', ')}, ${count} buttons`,
    methods: [key, post, address].filter((_each, at) => bits & (1 << at)),
    buttons: Array.from({ length: count }, (_none, index) => button(`oauth${index}`)),
  })),
)

const passkeys = { routesUrl: 'https://a.test/auth', isSignedIn: false, script: '', forms }

/** The parts of the page in their order, as a browser with passkeys shows them; those that are closed in brackets. */
function parts(document: Document): string[] {
  for (const each of document.querySelectorAll('.passkey')) each.removeAttribute('hidden')
  const shown = 'button:not([aria-hidden]), summary, [role=separator], input:not([type=hidden])'
  return [...document.querySelectorAll(shown)].map((each) => {
    const isClosed = each.closest('details:not([open])') && each.localName !== 'summary'
    const name = each.getAttribute('name') ?? each.textContent.replace(/\s+/g, ' ').trim()
    return isClosed ? `(${name})` : name
  })
}

describe('every combination of methods', () => {
  test.each(sets)('has one order: $name', ({ methods, buttons }) => {
    const names = buttons.map(({ provider: { name } }) => `T Continue with ${name}`)
    const has = (each: SignInChoice) => methods.includes(each)
    const keys = has(key) ? ['Continue with a passkey'] : []
    const count = 5 - keys.length
    const shown = [...names.slice(0, count), ...keys]
    const rest = names.slice(count).map((name) => `(${name})`)
    const form = has(post)
      ? [
          'email',
          'Continue with e-mail',
          ...(has(address) ? ['Use a password', '(password)', '(Sign in with the password)'] : []),
        ]
      : ['email', 'password', 'Sign in']
    const hasForm = has(post) || has(address)
    const expected = [
      ...shown,
      ...(rest.length > 0 ? ['More ways to sign in', ...rest] : []),
      ...(shown.length > 0 && hasForm ? ['or'] : []),
      ...(hasForm ? form : []),
      ...(has(key) ? ['New here? Create an account'] : []),
      ...(has(key) && !hasForm ? ['(email)'] : []),
      ...(has(key) ? ['(Create a passkey)'] : []),
    ]
    for (const order of permutations([...methods, ...buttons.slice(0, 1)])) {
      const choices = [...order, ...buttons.slice(1)]
      const document = show({ choices, passkeys })
      expect(parts(document)).toEqual(expected)
      expect(document.querySelectorAll('.primary:not(details *)')).toHaveLength(
        choices.length > 0 ? 1 : 0,
      )
    }
  })
})

describe('an address for a mail and for a password', () => {
  const document = show({ choices: [address, post] })
  const form = document.querySelector('form') as HTMLFormElement

  test('is typed once, and sent to either route', () => {
    expect(document.querySelectorAll('form')).toHaveLength(1)
    const [enter, mailed, signIn] = form.querySelectorAll('button')
    expect(form.action).toBe('https://a.test/signin/post')
    expect(enter?.getAttribute('formaction')).toBe('https://a.test/signin/post?or=pw')
    expect(mailed?.hasAttribute('formaction')).toBe(false)
    expect(signIn?.getAttribute('formaction')).toBe('https://a.test/callback/pw')
    const input = form.querySelector('input[name=email]')
    expect(input?.getAttribute('autocomplete')).toBe('username')
  })

  test('has no field with constraints that a browser cannot show', () => {
    const hiddenField = form.querySelector('input[name=password]')
    expect(hiddenField?.getAttributeNames().toSorted()).toEqual(
      ['autocomplete', 'id', 'name', 'placeholder', 'type'].toSorted(),
    )
  })

  test('opens the password after it was rejected, and keeps the address', () => {
    const rejected = { form: 'pw', values: { email: 'ada@a.test', password: 'typed' } }
    const after = show({ choices: [address, post], error: 'CredentialsSignin', rejected })
    expect(after.querySelector('details')?.open).toBe(true)
    expect(after.querySelector('input[name=email]')).toMatchObject({ value: 'ada@a.test' })
    expect(after.querySelector('[autofocus]')?.getAttribute('name')).toBe('password')
    expect(after.querySelector('[aria-invalid]')?.getAttribute('name')).toBe('password')
    expect(after.querySelector('[role=alert]')?.textContent).toBe(ADDRESS)
    const primary = [...after.querySelectorAll('.primary')].map((each) => each.textContent.trim())
    expect(primary).toEqual(['Sign in with the password'])
  })

  test('is not shared with a form that has other names for it', () => {
    const login = choice('own', { kind: 'form', fields: { login: { type: 'email' }, ...secret } })
    expect(parts(show({ choices: [post, login] }))).toEqual([
      'email',
      'Continue with e-mail',
      'Continue with The own',
      '(login)',
      '(password)',
      '(Sign in)',
    ])
  })

  test('is sent with any of several providers', () => {
    const other = {
      ...post,
      provider: { ...post.provider, id: 'other' },
      routes: routesOf('other'),
    }
    const several = show({ choices: [post, mail, other] })
    expect(parts(several)).toEqual([
      'email',
      'Continue with e-mail (post)',
      'Continue with The mail',
      'Continue with e-mail (other)',
    ])
    const actions = [...several.querySelectorAll('button')].map((each) =>
      each.getAttribute('formaction'),
    )
    expect(actions).toEqual([null, routes.signinUrl, 'https://a.test/signin/other'])
  })
})

describe('a page with the texts of the application', () => {
  const texts = {
    name: 'Acme & Co',
    messages: { lang: 'de', signInTitle: 'Bei {site} <anmelden>' },
  }

  test('replaces some texts, and escapes them', () => {
    const { text } = signInPage({ ...site, theme: texts, choices: [one], error: null })
    const document = parse(text)
    expect(document.documentElement.lang).toBe('de')
    expect(document.title).toBe('Bei Acme & Co <anmelden>')
    expect(document.querySelector('h1')?.innerHTML).toBe('Bei Acme &amp; Co &lt;anmelden&gt;')
    expect(document.querySelector('.button span + span')?.textContent).toBe('Continue with The one')
  })

  test.each([
    ['locked', 'Your account is locked.'],
    // Without a text of its own: the password may be right.
    ['constructor', 'Sign-in failed. Check that the details you entered are correct.'],
    ['email_not_verified', 'Sign-in failed. Check that the details you entered are correct.'],
    ['credentials', 'The user name or the password is wrong.'],
    [null, 'The user name or the password is wrong.'],
  ])('has a text for its own code: %s', (code, expected) => {
    const messages = { 'code.locked': 'Your account is locked.' }
    const error = 'CredentialsSignin'
    const { text } = signInPage({ ...site, theme: { messages }, choices: [own], error, code })
    expect(parse(text).querySelector('[role=alert]')?.textContent).toBe(expected)
  })
})
