/** docs/troubleshooting: each message that a page quotes is what the library prints when the fault of the page is caused. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Auth, getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import Lib from '../../src/frameworks/next/index.ts'
import { getToken } from '../../src/jwt.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, SECRET } from '../config.ts'

const COOKIE = '__Host-lib.session-token'
const OTHER = { secret: 'another secret, of more than 32 bytes' }
const op = await issuer()

/** Messages of the documents, by page. */
function quoted(document: string): string[] {
  const page = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  return [...page.matchAll(/^```text\n([^]*?)\n```$/gm)].map(([, text = '']) => text)
}

/** The lines of the console during a call. */
async function linesOf(act: () => unknown): Promise<string> {
  const lines: string[] = []
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)))
  try {
    await act()
  } finally {
    vi.restoreAllMocks()
  }
  return lines.join('\n')
}

/** A configuration that prints to the console, with the debug log. */
function printing(overrides: Partial<AuthConfig> = {}): AuthConfig {
  const { logger: _logger, ...config } = configFor(op).config
  return { ...config, debug: true, ...overrides }
}

const requestWith = (cookie: string, path = '/') =>
  new Request(`https://app.test${path}`, { headers: { host: 'app.test', cookie } })

async function signedInCookie(): Promise<string> {
  const tab = browser(configFor(op).config, { issuer: op })
  await tab.signIn('op')
  return `${COOKIE}=${tab.cookies.get(COOKIE)?.value}`
}

const readSession = async (cookie: string, overrides?: Partial<AuthConfig>) =>
  linesOf(() => getSession(requestWith(cookie), printing(overrides)))

/** What is printed when a response of the provider is sent to the callback URL, by a browser with these cookies. */
async function answerOf(
  cookie: (cookies: string) => string,
  { times = 1, overrides = {} }: { times?: number; overrides?: Partial<AuthConfig> } = {},
): Promise<string> {
  const tab = browser(configFor(op).config, { issuer: op })
  const { url } = await op.authorize((await tab.begin('op')).url)
  const stored = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
  const config = printing(overrides)
  return linesOf(async () => {
    for (let sent = 0; sent < times; sent++) {
      const headers = { host: 'app.test', cookie: cookie(stored.join('; ')) }
      await Auth(new Request(url, { headers }), config)
    }
  })
}

/** What is printed when a site whose session does not fit into cookies answers a sign-in. */
async function printedForLargeSession(): Promise<string> {
  const groups = Array.from({ length: 1000 }, (_, at) => `group ${at} ${Math.random()}`)
  const config = printing({ callbacks: { jwt: ({ token }) => ({ ...token, groups }) } })
  const tab = browser(config, { issuer: op })
  return linesOf(() => tab.signIn('op'))
}

async function printedForUnknownHost(): Promise<string> {
  vi.stubEnv('NODE_ENV', 'production')
  return linesOf(() => Auth(requestWith('', '/auth/signin'), printing({ trustHost: false })))
}

async function printedForOtherPort(): Promise<string> {
  vi.stubEnv('NODE_ENV', 'development')
  const headers = { host: 'localhost:5173' }
  const request = new Request('http://localhost:5173/auth/signin', { headers })
  return linesOf(() => Auth(request, printing({ origin: 'http://localhost:3000' })))
}

const printedWithOtherSecret = async () => readSession(await signedInCookie(), OTHER)

afterEach(() => void vi.unstubAllEnvs())

describe('a message that a page quotes is printed:', () => {
  test.each<[string, () => Promise<readonly string[]>]>([
    [
      'docs/troubleshooting/redirect-loop.md',
      async () => [await readSession(''), await printedWithOtherSecret()],
    ],
    [
      'docs/troubleshooting/wrong-host.md',
      async () => [await printedForOtherPort(), await printedForUnknownHost()],
    ],
    [
      'docs/troubleshooting/invalid-check.md',
      async () => [
        await answerOf(() => ''),
        await answerOf((cookies) => cookies, { times: 2 }),
        await answerOf((cookies) => cookies, { overrides: OTHER }),
      ],
    ],
    ['docs/troubleshooting/signed-out.md', async () => [await printedWithOtherSecret()]],
    [
      'docs/troubleshooting/get-token-null.md',
      async () => {
        const req = requestWith(await signedInCookie())
        return [String(await getToken({ req }).catch((error: unknown) => error))]
      },
    ],
    [
      'docs/troubleshooting/cookie-too-large.md',
      async () => [
        await printedForLargeSession(),
        await readSession(`${COOKIE}.1=the second chunk without the first`),
      ],
    ],
    [
      'docs/troubleshooting/works-locally.md',
      async () => [
        await linesOf(() => Auth(requestWith('', '/auth/signin'), printing({ secret: '' }))),
      ],
    ],
  ])('%s', async (document, cause) => {
    const messages = quoted(document)
    expect(messages.length).toBeGreaterThan(0)
    const printed = (await cause()).join('\n')
    for (const part of messages.flatMap((message) => message.split('…')))
      expect(printed).toContain(part)
  })
})

test('docs/troubleshooting/get-token-null.md: each cause is one', async () => {
  const cookie = await signedInCookie()
  const req = requestWith(cookie)
  expect(await getToken({ req, secret: SECRET })).not.toBeNull()
  expect(await getToken({ req, ...OTHER })).toBeNull()
  expect(await getToken({ req, secret: SECRET, cookieName: 'other' })).toBeNull()
  expect(await getToken({ req, secret: SECRET, secureCookie: false })).toBeNull()
  expect(await getToken({ req: requestWith(''), secret: SECRET, raw: true })).toBeNull()
  expect(await getToken({ req, ...OTHER, raw: true })).toBe(cookie.slice(COOKIE.length + 1))
})

test('docs/troubleshooting/build-fails.md: a configuration without a secret can be loaded', () => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('AUTH_SECRET', '')
  expect(Object.keys(Lib({ providers: [] }))).toContain('auth')
})
