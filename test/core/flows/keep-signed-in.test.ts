/** "Keep me signed in": the choice of the user reaches the session of each kind of sign-in. */
import { describe, expect, test, vi } from 'vitest'
import type { LifetimeFacts, SessionLifetime } from '../../../src/core/config/types.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { configFor, enter, oidc, passwordConfig, TYPED } from '../../config.ts'
import {
  ADA,
  enterCode,
  followLink,
  hiddenFields,
  linkIn,
  mailSite,
  wrongCode,
} from '../../email.ts'
import { DAY, SESSION } from '../../sessions.ts'

const op = await issuer({ algorithm: 'ES256' })

/** What `session.lifetime` has received. */
function observe() {
  const lifetime = vi.fn<(facts: LifetimeFacts) => SessionLifetime>(({ remember }) =>
    remember === false ? { cookie: 'session', idle: 3600 } : { idle: 60 * DAY },
  )
  return { lifetime, choice: () => lifetime.mock.lastCall?.[0].remember }
}

function isPersistent(tab: Browser): boolean {
  return tab.cookies.get(SESSION)?.expires !== Infinity
}

const FORMS: [string, Record<string, string>, boolean | undefined][] = [
  ['a checked box', { rememberShown: 'true', remember: 'true' }, true],
  ['a checked box of the browser', { rememberShown: 'true', remember: 'on' }, true],
  ['an empty box', { rememberShown: 'true' }, false],
  ['no box', {}, undefined],
  ['false', { remember: 'false' }, false],
  ['False with a space', { remember: ' False ' }, false],
  ['0', { remember: '0' }, false],
  ['off', { remember: 'off' }, false],
  ['an empty text', { remember: '' }, false],
  ['true without the hidden field', { remember: 'true' }, true],
]

describe.each(FORMS)('%s', (_what, fields, expected) => {
  test('of a form for a password', async () => {
    const { lifetime, choice } = observe()
    const authorize = vi.fn(() => ({ id: '1', email: ADA }))
    const { config } = passwordConfig({ session: { lifetime } }, { authorize })
    const tab = browser(config)
    await enter(tab, { ...TYPED, ...fields })
    expect(choice()).toBe(expected)
    expect(isPersistent(tab)).toBe(expected !== false)
    expect(authorize).toHaveBeenCalledWith(TYPED, expect.anything())
  })

  test('of a button for a provider', async () => {
    const { lifetime, choice } = observe()
    const { config } = configFor(op, { session: { lifetime } })
    const tab = browser(config, { issuer: op })
    await (await tab.begin('op', fields)).complete()
    expect(choice()).toBe(expected)
    expect(isPersistent(tab)).toBe(expected !== false)
  })

  test('of a form for a magic link, in this browser and in another one', async () => {
    for (const other of [false, true]) {
      const { lifetime, choice } = observe()
      const site = mailSite({ session: { strategy: 'jwt', lifetime } })
      const tab = browser(site.config)
      await tab.post('signin/email', { email: ADA, ...fields })
      const opened = other ? browser(site.config) : tab
      await followLink(opened, linkIn(site.mails))
      expect(choice()).toBe(expected)
      expect(isPersistent(opened)).toBe(expected !== false)
    }
  })

  test('of a form for a code, also after a wrong one and after a failed sign-in', async () => {
    const { lifetime, choice } = observe()
    lifetime.mockImplementationOnce(() => {
      throw new Error('once')
    })
    const site = mailSite(
      { session: { strategy: 'jwt', lifetime } },
      { provider: { method: 'code' } },
    )
    const tab = browser(site.config)
    await tab.post('signin/email', { email: ADA, ...fields })
    const code = site.mails.at(-1)?.code ?? ''
    await enterCode(tab, wrongCode(code))
    await enterCode(tab, code)
    expect(tab.cookies.get(SESSION)).toBeUndefined()
    await enterCode(tab, code)
    expect(choice()).toBe(expected)
    expect(isPersistent(tab)).toBe(expected !== false)
  })
})

test.each([true, false, null])('%s of a program that sends JSON', async (remember) => {
  const { lifetime, choice } = observe()
  for (const session of [{ lifetime }, {}]) {
    const { config } = passwordConfig({ session })
    const tab = browser(config)
    const json = {
      csrfToken: await tab.csrfToken(),
      ...TYPED,
      ...(remember !== null && { remember }),
    }
    await tab.request('callback/password', { method: 'POST', json })
    expect(isPersistent(tab)).toBe(remember !== false)
  }
  expect(choice()).toBe(remember ?? undefined)
})

test('a list as the choice rejects the sign-in', async () => {
  const { config } = passwordConfig(
    { session: { lifetime: observe().lifetime } },
    { jsonValues: true },
  )
  const tab = browser(config)
  const json = { csrfToken: await tab.csrfToken(), ...TYPED, remember: ['true'] }
  const response = await tab.request('callback/password', { method: 'POST', json })
  expect(response.status).toBe(400)
  expect(tab.cookies.get(SESSION)).toBeUndefined()
})

test('a field remember of the application reaches authorize', async () => {
  const own = { credentials: { username: {}, password: {}, remember: {} } }
  for (const { lifetime, ...provider } of [{ lifetime: undefined }, { ...observe(), ...own }]) {
    const authorize = vi.fn(() => ({ id: '1' }))
    const { config } = passwordConfig({ session: { lifetime } }, { ...provider, authorize })
    await enter(browser(config), { ...TYPED, remember: 'on' })
    expect(authorize).toHaveBeenCalledWith({ ...TYPED, remember: 'on' }, expect.anything())
  }
})

describe('the box of the sign-in page', () => {
  function pageOf(overrides: Partial<AuthConfig>) {
    const { config } = passwordConfig({ session: { lifetime: () => ({}) }, ...overrides })
    const tab = browser(
      { ...config, providers: [...(config.providers ?? []), oidc(op)] },
      { issuer: op },
    )
    const read = async (query = '') => (await tab.request(`signin${query}`)).text()
    return { tab, read }
  }

  const box = (html: string) => /<input[^>]*name="remember"[^>]*>/.exec(html)?.[0]

  test('is shown with the option lifetime only, and its form says so', async () => {
    const html = await pageOf({}).read()
    expect(box(html)).toContain('checked')
    expect(hiddenFields(html)).toMatchObject({ rememberShown: 'true' })
    const without = await pageOf({ session: {} }).read()
    expect(without).not.toContain('remember')
  })

  test('stays as the user left it when the password is wrong', async () => {
    for (const [fields, isChecked] of [
      [{ rememberShown: 'true' }, false],
      [{ rememberShown: 'true', remember: 'true' }, true],
    ] as const) {
      const { tab, read } = pageOf({})
      const response = await tab.post('callback/password', { ...TYPED, ...fields, password: 'x' })
      const { search } = new URL(response.headers.get('location') ?? '')
      expect(box((await read(search)) ?? '')?.includes('checked')).toBe(isChecked)
    }
  })

  test('is empty after an error at a provider, where the choice is not known', async () => {
    expect(box(await pageOf({}).read('?error=OAuthCallbackError'))).not.toContain('checked')
    expect(box(await pageOf({}).read('?error=SessionRequired'))).toContain('checked')
  })

  test('is kept when the mail is sent again', async () => {
    const { lifetime, choice } = observe()
    const site = mailSite({ session: { strategy: 'jwt', lifetime } })
    const tab = browser(site.config)
    const sent = await tab.post('signin/email', { email: ADA, rememberShown: 'true' })
    const page = await (await tab.request(sent.headers.get('location') ?? '')).text()
    const { csrfToken: _token, ...fields } = hiddenFields(page)
    await tab.post('signin/email', fields)
    await followLink(tab, linkIn(site.mails))
    expect(choice()).toBe(false)
  })

  test('is not shown if a form of the application has a field of this name', async () => {
    const { config } = passwordConfig(
      { session: { lifetime: () => ({}) } },
      { credentials: { username: {}, password: {}, remember: { type: 'checkbox' } } },
    )
    const html = await (await browser(config).request('signin')).text()
    expect(html).not.toContain('rememberShown')
    expect(html.match(/name="remember"/g)).toHaveLength(1)
  })
})
