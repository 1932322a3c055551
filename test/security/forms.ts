/** Forms as an attacker can send them, and their effects. */
import { expect } from 'vitest'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser } from '../../src/testing/index.ts'
import type { Browser } from '../../src/testing/index.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import type { Log } from '../config.ts'

export const ORIGIN = 'https://app.test'
export const CSRF_COOKIE = '__Host-lib.csrf-token'

/** A site that records the effects of accepted forms. */
export interface Site {
  readonly config: AuthConfig
  readonly effects: string[]
  readonly log: Log
}

export function site(overrides: Partial<AuthConfig> = {}): Site {
  const effects: string[] = []
  const callbacks: AuthConfig['callbacks'] = {
    jwt({ token, trigger }) {
      if (trigger === 'update') effects.push('update')
      return token
    },
  }
  const events = { signOut: () => void effects.push('signOut') }
  const { config, log } = passwordConfig(
    { callbacks, events, ...overrides },
    {
      authorize({ username }) {
        effects.push('authorize')
        return { id: String(username), name: String(username) }
      },
    },
  )
  return { config, effects, log }
}

/** Every route with a side effect, its required fields except the token, and the recorded effect. */
export const PROTECTED: readonly (readonly [string, Record<string, string>, string])[] = [
  ['callback/password', TYPED, 'authorize'],
  ['signout', {}, 'signOut'],
  ['session', { data: 'mine' }, 'update'],
  ['signin/password', {}, ''],
  ['signin', {}, ''],
]

export interface Form {
  readonly cookie: string
  readonly fields: Record<string, string>
  readonly headers?: Record<string, string>
}

/** Sends a form without Origin and Sec-Fetch-Site. */
export function send(
  at: Site,
  route: string,
  { cookie, fields, headers }: Form,
): Promise<Response> {
  const body = new URLSearchParams(fields)
  const init = { method: 'POST', body, headers: { cookie, ...headers } }
  return Auth(new Request(`${ORIGIN}/auth/${route}`, init), at.config)
}

/** The Cookie header of a browser, with a given CSRF cookie. */
export function cookieHeader(tab: Browser, csrf = tab.cookies.get(CSRF_COOKIE)?.value): string {
  const others = tab.cookies.all().filter(({ name }) => name !== CSRF_COOKIE)
  const pairs = others.map(({ name, value }) => `${name}=${value}`)
  return (csrf ? [...pairs, `${CSRF_COOKIE}=${csrf}`] : pairs).join('; ')
}

/** A signed-in browser, and its CSRF token. */
export async function signedIn(
  at: Site,
  username = TYPED.username,
): Promise<{ readonly tab: Browser; readonly csrfToken: string }> {
  const tab = browser(at.config)
  await enter(tab, { ...TYPED, username })
  const csrfToken = await tab.csrfToken()
  at.effects.length = 0
  return { tab, csrfToken }
}

/** Expects that the form is rejected for a browser and for a JSON client, without an effect. */
export async function expectRefusal(at: Site, route: string, form: Form): Promise<void> {
  const failure = `${ORIGIN}/auth/signin?error=MissingCSRF`
  const navigation = await send(at, route, form)
  if (route.startsWith('session')) expect(navigation.status).toBe(403)
  else expect(navigation.headers.get('location')).toBe(failure)
  const json = { ...form.headers, accept: 'application/json' }
  const program = await send(at, route, { ...form, headers: json })
  expect(program.status).toBe(403)
  expect(await program.json()).toMatchObject({ error: 'MissingCSRF', retryable: true })
  expect(at.effects).toEqual([])
  for (const response of [navigation, program]) expect(response.headers.getSetCookie()).toEqual([])
}

/** Expects that the form is accepted, with its effect. */
export async function expectSuccess(at: Site, route: string, form: Form): Promise<void> {
  const response = await send(at, route, form)
  expect(response.status).toBeLessThan(400)
  expect(response.headers.get('location') ?? '').not.toContain('error=')
  const [, , effect] = PROTECTED.find(([name]) => name === route) ?? []
  expect(at.effects).toEqual(effect ? [effect] : [])
}
