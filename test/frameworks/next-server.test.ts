import { isRedirectError } from 'next/dist/client/components/redirect-error.js'
import { describe, expect, test } from 'vitest'
import {
  AuthError,
  CredentialsSignin,
  nextSite,
  ORIGIN,
  thrownRedirect,
  SESSION,
} from './next/next-site.ts'
import { op, login, submitted } from './site.ts'
import type { CallbacksOptions } from '../../src/index.ts'

type JWTCallback = NonNullable<CallbacksOptions['jwt']>

const referer = `${ORIGIN}/page?tab=2`
const fromPage = { headers: { referer } }
const fromFailure = { headers: { referer: `${referer}&error=CredentialsSignin&code=locked` } }

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

describe('signing in from an action', () => {
  test('redirects to the provider and returns to the page', async () => {
    const site = nextSite()
    const work = site.action(() => site.signIn('op', {}, { login_hint: 'ada@test' }), fromPage)
    const url = await thrownRedirect(work)
    expect(new URL(url).origin).toBe(op.url)
    expect(new URL(url).searchParams.get('login_hint')).toBe('ada@test')
    const answer = await op.authorize(url)
    const response = await site.route(site.handlers.GET, answer.url)
    expect(response.headers.get('location')).toBe(referer)
    expect(await site.render(() => site.auth())).toMatchObject({ user: { name: 'Ada Lovelace' } })
  })

  test('throws the redirect error of Next, which is not an AuthError', async () => {
    const site = nextSite()
    const error: unknown = await site.action(() => site.signIn('op')).catch((cause) => cause)
    expect(isRedirectError(error)).toBe(true)
    expect(error).not.toBeInstanceOf(AuthError)
  })

  test.each<[string, { redirect: false } | FormData]>([
    ['an object', { redirect: false }],
    ['a form', formOf({ redirect: 'false' })],
  ])('with redirect: false in %s returns the URL as a string', async (_what, options) => {
    const site = nextSite()
    const url: unknown = await site.action(() => site.signIn('op', options))
    expect(url).toMatch(/^https:\/\/issuer\.test\//)
  })

  test.each<[string, string | undefined]>([
    ['no provider', undefined],
    ['an unknown provider', 'gitlab'],
  ])('with %s redirects to the sign-in page, also while a page is rendered', async (_what, id) => {
    const site = nextSite()
    const page = `${ORIGIN}/api/auth/signin?callbackUrl=${encodeURIComponent(referer)}`
    expect(await thrownRedirect(site.action(() => site.signIn(id), fromPage))).toBe(page)
    expect(await thrownRedirect(site.render(() => site.signIn(id), fromPage))).toBe(page)
    const stay = () => site.signIn(id, { redirect: false, redirectTo: '/home' })
    expect(await site.action(stay)).toBe(`${ORIGIN}/api/auth/signin?callbackUrl=%2Fhome`)
    expect(site.set).toEqual([])
  })

  test('with the right password signs in and redirects to redirectTo', async () => {
    const site = nextSite()
    const form = formOf({ ...login, redirectTo: '/home', $ACTION_ID_1: '' })
    expect(await thrownRedirect(site.action(() => site.signIn('credentials', form)))).toBe(
      `${ORIGIN}/home`,
    )
    expect(submitted.last).toEqual(login)
    expect(await site.render(() => site.auth())).toMatchObject({ user: { name: 'Grace Hopper' } })
  })

  test('does not redirect to another site', async () => {
    const site = nextSite()
    const away = { ...login, redirectTo: 'https://evil.test/' }
    expect(await thrownRedirect(site.action(() => site.signIn('credentials', away)))).toBe(ORIGIN)
  })

  test('sends other options as text fields', async () => {
    const site = nextSite()
    const options = {
      ...login,
      redirect: false,
      code: undefined,
      device: null,
      attempt: 2,
    } as const
    await site.action(() => site.signIn('credentials', options))
    expect(submitted.last).toEqual({ ...login, attempt: '2' })
  })

  test.each([
    ['wrong', true, { type: 'CredentialsSignin', code: 'credentials' }],
    ['wrong', false, { type: 'CredentialsSignin', code: 'credentials' }],
    ['locked', true, { type: 'CredentialsSignin', code: 'locked' }],
    ['broken', true, { type: 'CallbackRouteError' }],
  ])('with the %s password throws (redirect: %s)', async (password, redirect, expected) => {
    const site = nextSite()
    const work = () => site.signIn('credentials', { username: 'grace', password, redirect })
    const error: unknown = await site.action(work).catch((cause) => cause)
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject(expected)
    expect(error instanceof CredentialsSignin).toBe(expected.type === 'CredentialsSignin')
    expect(await site.render(() => site.auth())).toBeNull()
  })

  test('throws when the signIn callback rejects, and redirects to the URL it returns', async () => {
    const refusing = nextSite({ callbacks: { signIn: () => false } })
    await expect(
      refusing.action(() => refusing.signIn('credentials', login)),
    ).rejects.toMatchObject({ type: 'AccessDenied' })
    const sending = nextSite({ callbacks: { signIn: () => '/sign-up' } })
    const work = sending.action(() => sending.signIn('credentials', login))
    expect(await thrownRedirect(work)).toBe(`${ORIGIN}/sign-up`)
  })

  test('throws the error of a wrong password, whatever headers the browser sends', async () => {
    const site = nextSite()
    const wrong = { ...login, password: 'wrong' }
    const headers = { 'x-auth-return-redirect': '1', accept: 'application/json' }
    const work = site.action(() => site.signIn('credentials', wrong), { headers })
    await expect(work).rejects.toBeInstanceOf(CredentialsSignin)
  })
})

describe('signing out from an action', () => {
  test('ends the session and returns to the page', async () => {
    const site = nextSite()
    await site.signInGrace()
    expect(await thrownRedirect(site.action(() => site.signOut(), fromPage))).toBe(referer)
    expect(await thrownRedirect(site.action(() => site.signOut(), fromFailure))).toBe(referer)
    expect(site.cookies.get(SESSION)).toBeUndefined()
    expect(await site.render(() => site.auth())).toBeNull()
  })

  test('with redirect: false returns the URL, also as its properties url and redirect', async () => {
    const site = nextSite()
    await site.signInGrace()
    const url: unknown = await site.action(() =>
      site.signOut({ redirect: false, redirectTo: '/bye' }),
    )
    expect(String(url)).toBe(`${ORIGIN}/bye`)
    expect(url).toBeInstanceOf(URL)
    expect(url).toMatchObject({ redirect: `${ORIGIN}/bye`, url: `${ORIGIN}/bye`, pathname: '/bye' })
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })
})

describe.each(['update', 'unstable_update'] as const)('%s', (name) => {
  const callbacks = {
    jwt: ({ token, trigger, session }: Parameters<JWTCallback>[0]) =>
      trigger === 'update' ? { ...token, name: String(session.user.name) } : token,
  }

  test('updates the session and returns it', async () => {
    const site = nextSite({ callbacks })
    await site.signInGrace()
    const data = { user: { name: 'Amazing Grace' } }
    expect(await site.action(() => site[name](data))).toMatchObject(data)
    expect(await site.render(() => site.auth())).toMatchObject(data)
  })

  test('returns null for an unauthenticated user', async () => {
    const site = nextSite({ callbacks })
    expect(await site.action(() => site[name]({ user: { name: 'Grace' } }))).toBeNull()
  })

  test('throws after an error and keeps the session', async () => {
    const site = nextSite({ callbacks })
    await site.signInGrace()
    const work = site.action(() => site[name]({ user: undefined } as never))
    await expect(work).rejects.toMatchObject({ type: 'SessionUnavailable' })
    expect(await site.render(() => site.auth())).toMatchObject({ user: { name: 'Grace Hopper' } })
  })
})

describe('cookies', () => {
  test.each(['signIn', 'signOut'] as const)(
    'of %s cannot be set while a page is rendered',
    async (name) => {
      const site = nextSite()
      const work = name === 'signIn' ? () => site.signIn('op') : () => site.signOut()
      await expect(site.render(work)).rejects.toThrow(/Cookies can only be modified/)
    },
  )
})
