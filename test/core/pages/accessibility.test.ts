// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { confirmPage } from '../../../src/core/pages/message-pages.ts'
import { signInPage } from '../../../src/core/pages/sign-in-page.ts'
import { choices, confirmation, mailChoices, pages, signIn } from './every-page.ts'

const parse = (text: string) => new DOMParser().parseFromString(text, 'text/html')

/** The accessible name of an element: its text without hidden parts. */
function nameOf(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const icon of copy.querySelectorAll('[aria-hidden="true"]')) icon.remove()
  return copy.textContent.replace(/\s+/g, ' ').trim()
}

describe.each(pages)('the page %s', (_name, text) => {
  const document = parse(text)
  const all = (selector: string) => [...document.querySelectorAll(selector)]

  test('has a language, a title that is its heading, and can be zoomed', () => {
    expect(document.documentElement.lang).toBe('en')
    expect(document.title.trim()).toBe(nameOf(all('h1')[0] as Element))
    expect(document.compatMode).toBe('CSS1Compat')
    const viewport = document.querySelector('meta[name=viewport]')?.getAttribute('content')
    expect(viewport).toBe('width=device-width, initial-scale=1')
  })

  test('has one main element and one heading with text', () => {
    expect(all('main')).toHaveLength(1)
    expect(all('main h1')).toHaveLength(1)
    expect(all('h1')).toHaveLength(1)
    expect(all('h2, h3, h4, h5, h6')).toEqual([])
    expect(nameOf(all('h1')[0] as Element)).not.toBe('')
  })

  test('labels every field, button, link and picture', () => {
    for (const input of all('input:not([type=hidden])')) {
      const labels = [...((input as HTMLInputElement).labels ?? [])]
      expect(labels).toHaveLength(1)
      expect(nameOf(labels[0] as Element)).not.toBe('')
    }
    for (const control of all('button, a')) expect(nameOf(control)).not.toBe('')
    for (const image of all('img')) expect(image.getAttribute('alt')).toBeTruthy()
  })

  test('has unique ids, and a focus order that follows the text', () => {
    const ids = all('[id]').map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('works without a script', () => {
    expect(all('script')).toEqual([])
    for (const each of all('form:not([hidden])')) {
      expect(each.getAttribute('method')).toBe('post')
      expect(each.getAttribute('action')).toMatch(/^https:/)
      expect(
        Array.from((each as HTMLFormElement).elements).find((control) =>
          control.matches('button[type=submit]'),
        ) ?? null,
      ).not.toBe(null)
      for (const other of each.querySelectorAll('[formaction]'))
        expect(other.getAttribute('formaction')).toMatch(/^https:/)
    }
    for (const link of all('a')) expect(link.getAttribute('href')).toBeTruthy()
  })
})

describe('the sign-in page', () => {
  const document = parse(signInPage({ ...signIn, choices, error: 'CredentialsSignin' }).text)

  test('announces an error to assistive technology', () => {
    const notice = document.querySelector('[role=alert]')
    expect(notice?.textContent).toContain('Sign-in failed.')
    expect(notice?.compareDocumentPosition(document.querySelector('form') as Element)).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    )
  })

  test('names the provider of each button', () => {
    expect([...document.querySelectorAll('button')].map(nameOf)).toEqual([
      'Continue with The one',
      'Continue with The two',
      'Sign in',
      'Sign in',
    ])
  })

  test('opens one form, and closes the others', () => {
    const forms = [...document.querySelectorAll('form')].filter((each) =>
      each.querySelector('input:not([type=hidden])'),
    )
    expect(forms.map((each) => each.closest('details')?.open ?? 'outside')).toEqual([
      'outside',
      false,
    ])
    expect([...document.querySelectorAll('summary')].map(nameOf)).toEqual([
      'Continue with The other',
    ])
  })

  test('renders autocomplete and other attributes of a field', () => {
    const [username, password] = document.querySelectorAll('input:not([type=hidden])')
    expect(username?.getAttribute('autocomplete')).toBe('username')
    expect(username?.hasAttribute('required')).toBe(true)
    expect(username?.hasAttribute('autofocus')).toBe(true)
    expect(username?.getAttribute('id')).toBe('input-username-for-own-provider')
    expect(password?.getAttribute('type')).toBe('password')
    expect(password?.getAttribute('autocomplete')).toBe('current-password')
    expect(document.querySelector('label[for=input-password-for-own-provider]')?.textContent).toBe(
      'password',
    )
  })

  test('sends the CSRF token and callbackUrl with every form', () => {
    for (const each of document.querySelectorAll('form')) {
      const sent = Object.fromEntries(new FormData(each)) as Record<string, string>
      expect(sent).toMatchObject({ csrfToken: 'token', callbackUrl: 'https://a.test/' })
    }
  })
})

describe('the form for an e-mail address', () => {
  const page = signInPage({ ...signIn, choices: mailChoices, error: null, email: 'a"b@a.test' })
  const document = parse(page.text)

  test('has a label and autocomplete', () => {
    const inputs = [...document.querySelectorAll('input[type=email]')] as HTMLInputElement[]
    expect(inputs.map(({ id }) => id)).toEqual(['input-email-for-mail-provider'])
    for (const input of inputs) {
      expect([...(input.labels ?? [])].map(nameOf)).toEqual(['E-mail address'])
      expect([input.name, input.value, input.autocomplete]).toEqual([
        'email',
        'a"b@a.test',
        'email',
      ])
      expect([input.required, input.maxLength]).toEqual([true, 254])
    }
  })

  test('is separated from the buttons, and precedes closed forms', () => {
    const card = document.querySelector('.card') as Element
    const parts = [...card.children].filter(({ tagName }) => /^(?:FORM|DETAILS|DIV)$/.test(tagName))
    expect(parts.map((each) => each.getAttribute('role') ?? each.tagName.toLowerCase())).toEqual([
      'form',
      'separator',
      'form',
      'details',
    ])
  })
})

test('the confirmation page shows the address and the warning before its button', () => {
  const document = parse(confirmPage(confirmation).text)
  const address = document.querySelector('strong') as Element
  expect(address.textContent).toBe('ada@a.test')
  const submit = document.querySelector('button') as Element
  expect(nameOf(submit)).toBe('Sign in')
  const warning = document.querySelector('.status') as Element
  expect(warning.textContent).toContain('Continue only if you requested it.')
  expect(warning.compareDocumentPosition(submit)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(address.compareDocumentPosition(submit)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  const sent = Object.fromEntries(new FormData(document.querySelector('form') ?? undefined))
  expect(sent).toEqual({
    csrfToken: 'token',
    token: '"token"',
    email: 'ada@a.test',
    callbackUrl: 'https://a.test/',
  })
})
