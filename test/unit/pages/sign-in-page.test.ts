// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { french } from '../../../examples/messages/french.ts'
import { german } from '../../../examples/messages/german.ts'
import type { CredentialFields } from '../../../src/config/credentials.ts'
import type { CustomMessages } from '../../../src/pages/messages.ts'
import Email from '../../../src/providers/email.ts'
import ForwardEmail from '../../../src/providers/forwardemail.ts'
import Loops from '../../../src/providers/loops.ts'
import MailGun from '../../../src/providers/mailgun.ts'
import Nodemailer from '../../../src/providers/nodemailer.ts'
import Postmark from '../../../src/providers/postmark.ts'
import Resend from '../../../src/providers/resend.ts'
import SendGrid from '../../../src/providers/sendgrid.ts'
import { signInPage } from '../../../src/pages/sign-in-page.ts'
import type { SignInChoice } from '../../../src/pages/sign-in-page.ts'

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
  })

  test('puts the focus into the first field of the open form', () => {
    const focused = (choices: SignInChoice[]) =>
      [...show({ choices }).querySelectorAll('[autofocus]')].map(({ id }) => id)
    expect(focused([one, mail, own])).toEqual(['input-email-for-mail-provider'])
    expect(focused([own, mail])).toEqual(['input-username-for-own-provider'])
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
    expect(invalid?.closest('details')).toBeNull()
    expect(invalid?.hasAttribute('autofocus')).toBe(true)
    expect(invalid?.hasAttribute('value')).toBe(false)
    expect(document.getElementById('input-username-for-own-provider')).toMatchObject({
      value: 'ada',
    })
    expect(document.getElementById('input-email-for-mail-provider')?.closest('details')).not.toBe(
      null,
    )
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

  test.each([Nodemailer, Resend, SendGrid, Postmark, MailGun, Loops, ForwardEmail, Email])(
    'has that name by default',
    (provider) => {
      const { name } = provider({ transactionalId: 'id', apiKey: 'key', server: 'smtp://a.test' })
      expect(name).toBe('e-mail')
    },
  )
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
    ['constructor', 'The user name or the password is wrong.'],
    [null, 'The user name or the password is wrong.'],
  ])('has a text for its own code: %s', (code, expected) => {
    const messages = { 'code.locked': 'Your account is locked.' }
    const error = 'CredentialsSignin'
    const { text } = signInPage({ ...site, theme: { messages }, choices: [own], error, code })
    expect(parse(text).querySelector('[role=alert]')?.textContent).toBe(expected)
  })
})
