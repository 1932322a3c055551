/** Session cookies and their tokens, and a clock that tests advance. */
import { vi } from 'vitest'
import type { AuthConfig } from '../src/index.ts'
import { getSession } from '../src/index.ts'
import { decode, encode } from '../src/jwt.ts'
import type { Browser } from '../src/testing/index.ts'
import type { JWT } from '../src/core/types.ts'
import { SECRET } from './config.ts'

export const SESSION = '__Host-lib.session-token'
export const DAY = 24 * 60 * 60

/** Freezes the clock at the start of a second, until {@link pass}. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
  vi.setSystemTime('2026-05-04T03:02:01Z')
}

/** Waits in real time until a condition is met, such as that a pending request has called what has to time out. */
export async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
}

/** Advances the clock, and runs the timers that are due. */
export async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
}

/** Lets pending work, whose cryptography and imports take real time, run into its timeout. */
export async function timeOut<T>(work: Promise<T>, seconds: number): Promise<T> {
  await Promise.race([work, until(() => vi.getTimerCount() > 0)])
  await pass(seconds)
  return work
}

/** The value of the session cookie. */
export function cookieValue(tab: Browser, name = SESSION): string {
  return decodeURIComponent(tab.cookies.get(name)?.value ?? '')
}

/** The claims in the session cookie. */
export async function claimsOf(tab: Browser): Promise<JWT | null> {
  return decode({ token: cookieValue(tab), secret: SECRET, salt: SESSION })
}

/** A session cookie with these claims. */
export async function cookieFor(
  claims: JWT,
  { secret = SECRET, salt = SESSION, maxAge = DAY } = {},
): Promise<string> {
  return `${salt}=${await encode({ token: claims, secret, salt, maxAge })}`
}

/** Names of the cookies that a response sets; a deleted one has a minus in front. */
export function cookiesSetBy({ headers }: { headers: Headers }): string[] {
  return headers.getSetCookie().map((cookie) => {
    const [name = ''] = cookie.split('=')
    return /; Max-Age=0(?:;|$)/.test(cookie) ? `-${name}` : name
  })
}

/** Sets the cookies of a function that the application has called. */
export function takeCookies(tab: Browser, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    tab.cookies.set(name, value)
  }
}

/** Reads the session with a Cookie header. */
export function readWith(cookie: string, config: AuthConfig): ReturnType<typeof getSession> {
  const headers = new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https' })
  return getSession(headers, config)
}

/** The user name that a Cookie header resolves to, and the cookies that are set. */
export async function resolveSession(
  cookie: string,
  config: AuthConfig,
): Promise<[string | null, string[]]> {
  const { session, headers } = await readWith(cookie, config)
  return [session?.user?.name ?? null, cookiesSetBy({ headers })]
}
