/** Every built-in page, for tests in all of them. */
import type { CredentialInput } from '../../../src/core/config/credentials.ts'
import {
  confirmPage,
  errorPage,
  signedOutPage,
  signOutPage,
} from '../../../src/core/pages/message-pages.ts'
import { changedPage, confirmChangePage } from '../../../src/core/pages/confirm-page.ts'
import { methodsPage } from '../../../src/core/pages/methods-page.ts'
import {
  changePage,
  donePage,
  forgotPage,
  invalidLinkPage,
  resetPage,
  sentPage,
  signUpPage,
  verifyPage,
} from '../../../src/core/pages/password-pages.ts'
import {
  enrollPage,
  recoveryCodesPage,
  secondStepPage,
} from '../../../src/core/pages/second-step-page.ts'
import { stepUpPage } from '../../../src/core/pages/step-up-page.ts'
import { verifyRequestPage } from '../../../src/core/pages/verify-request-page.ts'
import * as forms from '../../../src/core/pages/passkey-form.ts'
import { signInPage } from '../../../src/core/pages/sign-in-page.ts'
import type { SignInChoice } from '../../../src/core/pages/sign-in-content.ts'

const theme = { logo: '/logo.svg' }
const routes = { signinUrl: 'https://a.test/signin/x', callbackUrl: 'https://a.test/callback/x' }

function form(id: string, credentials: Record<string, CredentialInput>): SignInChoice {
  return {
    provider: { id, name: `The ${id}`, offer: { kind: 'form', fields: credentials } },
    routes,
  }
}

function button(id: string): SignInChoice {
  const offer = { kind: 'button', brandColor: '#24292f' } as const
  return { provider: { id, name: `The ${id}`, offer }, routes }
}

function email(id: string): SignInChoice {
  return { provider: { id, name: `The ${id}`, offer: { kind: 'email' } }, routes }
}

function passkey(id: string): SignInChoice {
  const field = { type: 'email', label: 'E-mail address', autoComplete: 'username webauthn' }
  const offer = { kind: 'passkey', fields: { email: field }, autofill: true } as const
  return { provider: { id, name: 'Passkey', offer }, routes }
}

const fields = {
  username: { label: 'User name', autoComplete: 'username', required: true, autoFocus: true },
  password: { type: { value: 'password' }, autoComplete: 'current-password' },
  'a b"c': { label: 'Odd <name>', minLength: 3 },
  remember: { type: 'checkbox', label: 'Remember me' },
}

const hidden = { csrfToken: 'token', callbackUrl: 'https://a.test/' }
export const signIn = { theme, hidden, host: 'a.test' }
export const choices = [button('one'), form('own', fields), form('other', fields), button('two')]

export const mailChoices = [email('mail'), button('one'), email('post'), form('own', fields)]

export const confirmation = {
  theme,
  action: routes.callbackUrl,
  hidden: { ...hidden, token: '"token"', email: 'ada@a.test' },
  address: 'ada@a.test',
  homeUrl: '/',
  host: 'a.test',
}

const sent = { theme, host: 'a.test', homeUrl: '/', signInUrl: '/signin' }
const resend = { address: 'ada@a.test', action: routes.signinUrl, hidden }
const code = { ...resend, action: routes.callbackUrl, digits: 6, minutes: 10 }

const guest = form('guest', { tenant: { type: 'hidden', value: 'acme' } })

const signedIn = { label: 'ada@a.test', signOutUrl: '/signout', returnTo: '/' }

const passkeys = { routesUrl: 'https://a.test/auth', isSignedIn: false, script: '', forms }

const site = { theme, host: 'a.test' }
const password = {
  ...site,
  action: 'https://a.test/auth/password/change',
  hidden,
  minLength: 12,
  error: null,
  code: null,
  retryAfter: 0,
  email: 'ada@a.test',
  signInUrl: '/signin',
  homeUrl: '/',
}
const rejected = { ...password, error: 'PasswordRejected', code: 'common' }
const change = { hasPassword: true, isDone: false }

const methods = {
  ...site,
  action: 'https://a.test/auth/password/methods',
  hidden,
  items: [
    {
      provider: null,
      detail: 'My <phone>',
      added: new Date('2026-01-02'),
      fields: { passkey: 'k' },
    },
    { provider: null, detail: null, added: null, fields: { passkey: 'l' } },
    {
      provider: 'Example',
      detail: 'ada@a.test',
      added: null,
      fields: { provider: 'e', account: '1' },
    },
  ],
  isRemoved: true,
  homeUrl: '/',
}

const codePage = {
  ...site,
  action: 'https://a.test/auth/second-step',
  hidden,
  signInUrl: '/signin',
  rejected: null,
  retryAfter: 0,
}
const secondStep = {
  ...codePage,
  otherUrl: '/auth/second-step?with=recovery',
  remembers: 2592000,
  passkeyChoices: [],
  passkeyHidden: hidden,
}
const stepUp = {
  ...signIn,
  choices: [...choices, email('mail')],
  error: null,
  address: 'ada@a.test',
  label: 'Ada',
  isMerge: false,
  homeUrl: '/',
  signOutUrl: '/signout',
}

/** Names and HTML. */
export const pages: [string, string][] = [
  ['sign-in', signInPage({ ...signIn, choices, error: null }).text],
  ['sign-in after an error', signInPage({ ...signIn, choices, error: 'CredentialsSignin' }).text],
  [
    'sign-in after too many attempts',
    signInPage({ ...signIn, choices, error: 'TooManyAttempts', retryAfter: 900 }).text,
  ],
  ['sign-in without providers', signInPage({ ...signIn, choices: [], error: 'x' }).text],
  [
    'sign-in by e-mail',
    signInPage({ ...signIn, choices: mailChoices, error: 'EmailSignInError' }).text,
  ],
  [
    'sign-in with passkeys',
    signInPage({ ...signIn, passkeys, choices: [passkey('key')], error: null }).text,
  ],
  [
    'sign-in with passkeys and other methods',
    signInPage({ ...signIn, passkeys, choices: [email('mail'), passkey('key')], error: null }).text,
  ],
  [
    'sign-in as a guest',
    signInPage({ ...signIn, choices: [button('one'), guest], error: null }).text,
  ],
  [
    'sign-in with an account of another user',
    signInPage({
      ...signIn,
      choices: [button('one'), email('mail')],
      error: 'OAuthAccountNotLinked',
      signedIn,
    }).text,
  ],
  [
    'sign-in with a box for the lifetime of the session',
    signInPage({
      ...signIn,
      choices: [button('one'), form('own', { username: {}, password: {} })],
      error: null,
      remember: 'checked',
    }).text,
  ],
  [
    'sign-in by e-mail with the box',
    signInPage({
      ...signIn,
      choices: [email('mail'), button('one'), form('own', { email: {}, password: {} })],
      error: null,
      remember: 'empty',
    }).text,
  ],
  [
    'sign-in with the box and only buttons',
    signInPage({
      ...signIn,
      choices: [button('one'), button('two')],
      error: null,
      remember: 'checked',
    }).text,
  ],
  ['sign-in while signed in', signInPage({ ...signIn, choices, error: null, signedIn }).text],
  [
    'sign-in while signed in without a name',
    signInPage({ ...signIn, choices, error: null, signedIn: { ...signedIn, label: null } }).text,
  ],
  ['verify-request', verifyRequestPage(sent).text],
  ['e-mail code', verifyRequestPage({ ...sent, method: 'code', code, resend }).text],
  [
    'e-mail code after an error',
    verifyRequestPage({ ...sent, method: 'both', code, resend, isRejected: true }).text,
  ],
  ['e-mail code in another browser', verifyRequestPage({ ...sent, method: 'code' }).text],
  [
    'e-mail code after the last try',
    verifyRequestPage({ ...sent, method: 'code', resend, isRejected: true }).text,
  ],
  ['confirmation', confirmPage(confirmation).text],
  [
    'confirmation without a CSRF token',
    confirmPage({ ...confirmation, hidden: { ...confirmation.hidden, csrfToken: null } }).text,
  ],
  ...(['change', 'undo'] as const).map((kind): [string, string] => [
    `confirmation of a ${kind} of the address`,
    confirmChangePage({ ...confirmation, kind }).text,
  ]),
  ...(['waiting', 'changed', 'restored'] as const).map((state): [string, string] => [
    `address ${state}`,
    changedPage({ ...sent, state, address: 'ada@a.test' }).text,
  ]),
  [
    'sign-out',
    signOutPage({ theme, host: 'a.test', action: routes.signinUrl, hidden, returnTo: '/' }).text,
  ],
  [
    'sign-out without a session',
    signedOutPage({
      theme,
      host: 'a.test',
      title: 'notSignedIn',
      signInUrl: '/signin',
      homeUrl: '/',
    }).text,
  ],
  ...[
    'Configuration',
    'AccessDenied',
    'Verification',
    'TemporarilyUnavailable',
    'UnknownAction',
    'x',
  ].map((error): [string, string] => [
    `error ${error}`,
    errorPage({ theme, error, signInUrl: '/signin', homeUrl: '/' }).text,
  ]),
  ['step-up', stepUpPage(stepUp).text],
  ['step-up of a merge', stepUpPage({ ...stepUp, isMerge: true }).text],
  ['step-up without methods', stepUpPage({ ...stepUp, choices: [] }).text],
  ['second step', secondStepPage({ ...secondStep, kind: 'app' }).text],
  [
    'second step with a recovery code',
    secondStepPage({ ...secondStep, kind: 'recovery', rejected: 'code' }).text,
  ],
  [
    'enrolment',
    enrollPage({ ...codePage, secret: 'ABCD', uri: 'otpauth://totp/x', qrCode: '<svg></svg>' })
      .text,
  ],
  ['recovery codes', recoveryCodesPage(site, { codes: ['a', 'b'], continueUrl: '/' }).text],
  ['sign-up with a password', signUpPage(password).text],
  ['sign-up with a rejected password', signUpPage(rejected).text],
  ['sign-up in another browser', verifyPage(password).text],
  ['forgotten password', forgotPage(password).text],
  ['reset', resetPage(password).text],
  ['sent mail', sentPage({ ...site, email: 'ada@a.test', maxAge: 1800, againUrl: '/again' }).text],
  ['reset done', donePage({ ...site, signInUrl: '/signin', hasReview: false }).text],
  ['reset done with a review', donePage({ ...site, signInUrl: '/signin', hasReview: true }).text],
  ['sign-in methods', methodsPage(methods).text],
  ['sign-in methods without any', methodsPage({ ...methods, items: [] }).text],
  ['change of the password', changePage({ ...password, ...change }).text],
  [
    'first password after a rejected one',
    changePage({ ...rejected, ...change, hasPassword: false }).text,
  ],
  ['link that cannot be used', invalidLinkPage({ ...site, againUrl: '/again' }).text],
  ['error without links', errorPage({ theme, error: 'Configuration' }).text],
]
