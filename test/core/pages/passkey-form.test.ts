// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { german } from '../../../examples/messages/german.ts'
import { errorPage } from '../../../src/core/pages/message-pages.ts'
import * as forms from '../../../src/core/pages/passkey-form.ts'
import { english } from '../../../src/core/pages/messages.ts'
import { signInPage } from '../../../src/core/pages/sign-in-page.ts'
import type { SignInChoice } from '../../../src/core/pages/sign-in-content.ts'

const routes = { signinUrl: 'https://a.test/signin/x', callbackUrl: 'https://a.test/callback/x' }

function choice(name: string, offer: SignInChoice['provider']['offer']): SignInChoice {
  return { provider: { id: name.toLowerCase(), name, offer }, routes }
}

function passkey(name: string, autofill = true): SignInChoice {
  const email = { type: 'email', label: 'E-mail address', autoComplete: 'username webauthn' }
  return choice(name, { kind: 'passkey', fields: { email }, autofill })
}

const mail = choice('Mail', { kind: 'email' })
const button = choice('GitHub', { kind: 'button', brandColor: undefined })
const password = choice('Own', {
  kind: 'form',
  fields: { username: { autoComplete: 'username' }, password: { type: 'password' } },
})

const content = {
  host: 'a.test',
  theme: {},
  hidden: { csrfToken: 'token', callbackUrl: '/next' },
  error: null,
  passkeys: {
    routesUrl: 'https://a.test/api/auth',
    isSignedIn: false,
    script: 'start()',
    forms,
  },
}

function show(choices: SignInChoice[], more: Partial<Parameters<typeof signInPage>[0]> = {}) {
  const { text } = signInPage({ ...content, choices, ...more })
  return new DOMParser().parseFromString(text, 'text/html')
}

/** The buttons and summaries that a browser shows without running the script. */
function visible(document: Document): string[] {
  return [...document.querySelectorAll('button, summary')]
    .filter((each) => !each.closest('[hidden]') && !each.closest('details:not([open]) > form'))
    .map((each) => each.textContent.replace(/\s+/g, ' ').trim())
}

test('the texts name no other method, because there may be none', () => {
  // Shown only if there is one.
  const { tooManyAttemptsOr, ...others } = english
  expect(tooManyAttemptsOr).toMatch(/another method/)
  expect(Object.values(others).join()).not.toMatch(/another method/i)
})

describe('the sign-in page with passkeys', () => {
  test('shows the other methods only, with an explanation, in a browser without scripts', () => {
    const document = show([passkey('Passkey'), button, mail])
    expect(visible(document)).toEqual(['G Continue with GitHub', 'Continue with Mail'])
    expect(document.getElementById('passkey-support')?.textContent).toContain(
      'Passkeys need JavaScript',
    )
    const separators = [...document.querySelectorAll('.or')]
    expect(separators.map((each) => each.hasAttribute('hidden'))).toEqual([false])
  })

  test('registers with one form that posts to the callback route', () => {
    const form = show([passkey('Passkey')]).querySelector('form')
    expect(form?.id).toBe('passkey-form')
    expect(form?.method).toBe('post')
    expect(form?.action).toBe(routes.callbackUrl)
    expect(form?.dataset).toMatchObject({
      routes: 'https://a.test/api/auth',
      provider: 'passkey',
      autofill: '',
    })
    const inputs = [...(form?.querySelectorAll('input') ?? [])].map(({ name, value }) => [
      name,
      value,
    ])
    expect(inputs).toEqual([
      ['csrfToken', 'token'],
      ['callbackUrl', '/next'],
      ['action', ''],
      ['data', ''],
      ['email', ''],
    ])
    const labels = [...(form?.querySelectorAll('button') ?? [])].map((each) =>
      each.textContent.replace(/\s+/g, ' ').trim(),
    )
    expect(labels).toEqual(['Create a passkey'])
    expect(visibleAfterScript(show([passkey('Passkey')]))).toEqual([
      'Continue with a passkey',
      'New here? Create an account',
    ])
  })

  test('is a button and a closed form next to the form of another method', () => {
    const document = show([mail, passkey('Passkey')])
    const closed = document.querySelector('details.passkey')
    expect(closed?.querySelector('summary')?.textContent).toBe('New here? Create an account')
    expect(closed?.querySelector('form')?.id).toBe('passkey-form')
    const [signIn] = document.querySelectorAll('button.passkey')
    expect(signIn?.getAttribute('form')).toBe('passkey-form')
    expect(signIn?.getAttribute('type')).toBe('button')
    expect(document.querySelector('.or')?.hasAttribute('hidden')).toBe(true)
  })

  test('has no field for the address if the user is signed in', () => {
    const passkeys = { ...content.passkeys, isSignedIn: true }
    const form = show([mail, passkey('Passkey')], { passkeys }).querySelector('form.passkey')
    expect(form?.closest('details')).toBe(null)
    expect(form?.querySelectorAll('input:not([type=hidden])')).toHaveLength(0)
    expect(form?.querySelector('button')?.textContent.trim()).toBe('Create a passkey')
  })

  test('offers passkeys in the field for the user name of the other form', () => {
    const autocomplete = (choices: SignInChoice[]) =>
      [...show(choices).querySelectorAll('input:not([type=hidden], details input)')].map((input) =>
        input.getAttribute('autocomplete'),
      )
    expect(autocomplete([mail, passkey('Passkey')])).toEqual(['username webauthn'])
    expect(autocomplete([password, passkey('Passkey')])).toEqual([
      'username webauthn',
      'current-password',
    ])
    expect(autocomplete([passkey('Passkey')])).toEqual([])
    expect(autocomplete([mail, passkey('Passkey', false)])).toEqual(['email'])
  })

  test('names the provider if the application has named it', () => {
    const labels = (name: string) => visibleAfterScript(show([passkey(name)]))
    expect(labels('WebAuthn')[0]).toBe('Continue with a passkey')
    expect(labels('Security key')[0]).toBe('Continue with Security key')
  })

  test('runs its script with a nonce, which may send requests to the site only', () => {
    const { text, policy } = signInPage({ ...content, choices: [passkey('Passkey')] })
    const [, nonce] = /<script nonce="([\w-]+)">\s*start\(\)\s*<\/script>/.exec(text) ?? []
    expect(nonce).toBeDefined()
    expect(policy).toContain(`; script-src 'nonce-${nonce}'; connect-src 'self';`)
    const { text: without, policy: strict } = signInPage({
      ...content,
      choices: [mail],
      passkeys: undefined,
    })
    expect(without).not.toContain('<script')
    expect(strict).not.toMatch(/script-src|connect-src/)
  })

  test('has every message of the script in the language of the page', () => {
    const texts = (document: Document) =>
      JSON.parse(document.getElementById('passkey-alert')?.dataset['texts'] ?? '{}')
    expect(texts(show([passkey('Passkey')]))).toMatchObject({
      cancelled: expect.stringContaining('cancelled'),
      insecure_origin: 'Passkeys need a secure connection (https).',
    })
    const messages = german
    expect(texts(show([passkey('Passkey')], { theme: { messages } }))).toMatchObject({
      unsupported: german.passkeyUnsupported,
      unavailable: german.temporarilyUnavailable,
    })
  })

  test('explains that the address belongs to another user', () => {
    const document = show([passkey('Passkey')], { error: 'AccountNotLinked' })
    const alert = document.querySelector('[role=alert]:not([hidden])')
    expect(alert?.textContent).toContain('To confirm your identity')
  })

  test('is linked from the error page after a rejected passkey', () => {
    const error = 'WebAuthnVerificationError'
    const { text } = errorPage({ theme: {}, error, signInUrl: 'https://a.test/signin' })
    const document = new DOMParser().parseFromString(text, 'text/html')
    expect(document.querySelector('.sub')?.textContent).toContain('The passkey was not accepted.')
    expect(document.querySelector('a')?.href).toBe('https://a.test/signin')
  })
})

/** The labels after the script has shown what is hidden. */
function visibleAfterScript(document: Document): string[] {
  for (const element of document.querySelectorAll('.passkey')) element.removeAttribute('hidden')
  return visible(document)
}
