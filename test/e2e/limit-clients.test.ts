/** Limits as the clients for browsers report them, in Chromium; that of `next-auth` comes from npm. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import type { SignInResponse } from '../../src/browser/client/types.ts'
import type { VerificationRequest } from '../../src/core/config/email.ts'
import type { Attempt } from '../../src/core/config/protection-options.ts'
import { Auth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { passwordConfig, TYPED } from '../config.ts'
import { portOf, send, toRequest } from '../cli/doctor/run-doctor.ts'
import { mailProvider, wrongCode } from '../email.ts'
import { findBrowser } from '../services.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLIENTS: Readonly<Record<string, string>> = {
  'lib-auth/react': './src/browser/react/index.ts',
  'lib-auth/vue': './src/browser/vue/index.ts',
  'lib-auth/svelte': './src/browser/svelte/index.ts',
  'lib-auth/solid': './src/browser/solid/index.ts',
  'next-auth/react': 'next-auth/react',
}

/** A script that makes a client available in its page. */
async function scriptOf(module: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `globalThis.client = await import('${module}')`, resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
  })
  return outputFiles[0]?.text ?? ''
}

const launchOptions = await findBrowser()
const TIMES = { burst: 2, per: 900 }

function siteConfig(mails: VerificationRequest[]): AuthConfig {
  const { config } = passwordConfig({
    adapter: MemoryAdapter(),
    session: { strategy: 'jwt' },
    basePath: '/api/auth',
    protection: {
      limits: { 'password.account': TIMES, mail: TIMES, 'code.user': { ...TIMES, burst: 6 } },
    },
  })
  const mail = mailProvider(mails, { method: 'code' })
  return { ...config, providers: [...(config.providers ?? []), mail] }
}

describe.skipIf(!launchOptions)('in Chromium', () => {
  const mails: VerificationRequest[] = []
  const scripts = new Map<string, string>()
  let server: Server
  let chrome: Browser
  let page: Page
  let faults: string[] = []
  let config: AuthConfig

  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/api/auth/')) return Auth(request, config)
    const script = scripts.get(pathname.slice(1))
    const body = `<!doctype html><title>Client</title><script type="module">${script}</script>`
    return new Response(body, { headers: { 'content-type': 'text/html' } })
  }
  beforeAll(async () => {
    for (const [name, module] of Object.entries(CLIENTS)) scripts.set(name, await scriptOf(module))
    server = createServer((request, response) => {
      void toRequest(request)
        .then(respond)
        .then((answer) => send(answer, response))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    chrome = await chromium.launch(launchOptions ?? {})
  })
  afterAll(async () => {
    await chrome?.close()
    server?.closeAllConnections()
    server?.close()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await page.context().close()
    expect(faults).toEqual([])
  })

  async function open(name: string): Promise<void> {
    // The time to wait is what remains of an interval.
    vi.useFakeTimers({ toFake: ['Date'] })
    config = siteConfig(mails)
    faults = []
    page = await chrome.newPage()
    page.on('pageerror', (error) => void faults.push(error.message))
    await page.goto(`http://localhost:${portOf(server.address())}/${name}`)
    await page.waitForFunction(() => Reflect.has(globalThis, 'client'))
    page.on('framenavigated', (frame) => void faults.push(`navigated to ${frame.url()}`))
  }

  /** Calls `signIn` in the page. */
  function signIn(provider: string, options: object): Promise<SignInResponse> {
    return page.evaluate(([id, given]) => Reflect.get(globalThis, 'client').signIn(id, given), [
      provider,
      { redirect: false, ...options },
    ] as const)
  }
  const WRONG = { username: 'ada', password: 'wrong' }
  const ADA = { email: 'ada@example.com' }

  describe.each(Object.keys(CLIENTS))('%s', (name) => {
    const isOwn = name.startsWith('lib-auth')

    test('returns that there were too many attempts, and when to try again', async () => {
      await open(name)
      for (let guess = 0; guess < 2; guess++)
        expect(await signIn('password', WRONG)).toMatchObject({ error: 'CredentialsSignin' })
      const limited = await signIn('password', WRONG)
      expect(limited).toMatchObject({ error: 'TooManyAttempts', status: 200, ok: true, url: null })
      expect(limited.code ?? undefined).toBeUndefined()
      if (isOwn) expect(limited.retryAfter).toBe(450)
    })

    test('returns that a challenge is required, and sends its answer', async () => {
      await open(name)
      const onAttempt = ({ challenge }: Attempt) => (challenge === '4' ? 'allow' : 'challenge')
      config = { ...config, protection: { onAttempt } }
      const required = { error: 'ChallengeRequired', url: null }
      expect(await signIn('password', TYPED)).toMatchObject(required)
      expect(await signIn('password', { ...TYPED, challenge: '5' })).toMatchObject(required)
      const { error } = await signIn('password', { ...TYPED, challenge: '4' })
      expect(error ?? undefined).toBeUndefined()
    })

    test('navigates to the sign-in page, which shows when to try again', async () => {
      await open(name)
      for (let guess = 0; guess < 2; guess++) await signIn('password', WRONG)
      page.removeAllListeners('framenavigated')
      void signIn('password', { ...WRONG, redirect: true }).catch(() => undefined)
      await page.waitForURL(/signin\?error=TooManyAttempts/)
      expect(await page.getByRole('alert').first().innerText()).toContain('Try again in 8 minutes')
    })

    test('returns the same for a mail that is not sent', async () => {
      await open(name)
      const before = mails.length
      const answers: unknown[] = []
      for (let mail = 0; mail < 3; mail++) answers.push(await signIn('email', ADA))
      expect(mails.length - before).toBe(2)
      expect(answers[2]).toEqual(answers[0])
      expect(answers[2]).toMatchObject({ status: 200, ok: true })
    })

    test.runIf(isOwn)('returns that a code is wrong, and too many of them', async () => {
      await open(name)
      await signIn('email', ADA)
      const code = mails.at(-1)?.code ?? ''
      const rejected = { error: 'Verification', code: 'invalid_code', url: null, ok: true }
      for (let at = 1; at <= 5; at++)
        expect(await signIn('email', { code: wrongCode(code, at) })).toMatchObject(rejected)
      expect(await signIn('email', { code })).toMatchObject(rejected)
      await signIn('email', ADA)
      const next = mails.at(-1)?.code ?? ''
      expect(await signIn('email', { code: wrongCode(next) })).toMatchObject(rejected)
      const limited = await signIn('email', { code: next })
      expect(limited).toMatchObject({ error: 'TooManyAttempts', retryAfter: 150, url: null })
    })
  })
})
