/** Collects the secrets of a test, captures the log, and searches it for them. */
import { inspect } from 'node:util'
import { expect, vi } from 'vitest'
import type { AuthConfig } from '../../src/index.ts'
import type { Browser, Issuer } from '../../src/testing/index.ts'

/** The secrets of one test: sent, received or typed in. */
export type Canaries = Set<string>

export const METHODS = ['error', 'warn', 'info', 'log', 'debug'] as const

/** The captured log, with every nested value. */
export interface CapturedLog {
  readonly logger: AuthConfig['logger']
  text(): string
}

function deep(value: unknown): string {
  return inspect(value, {
    depth: 20,
    showHidden: true,
    maxStringLength: null,
    maxArrayLength: null,
  })
}

/** The console with `debug`, and a logger that inspects its arguments. */
export const logSinks: Record<string, () => CapturedLog> = {
  'the console, with debug on': () => ({
    logger: undefined,
    text: () =>
      METHODS.flatMap((method) => vi.mocked(console[method]).mock.calls.flat())
        .map(deep)
        .join('\n'),
  }),
  'a logger of the application': () => {
    const lines: unknown[] = []
    const capture = (...line: unknown[]) => void lines.push(...line)
    return {
      logger: { error: capture, warn: capture, debug: capture },
      text: () => lines.map(deep).join('\n'),
    }
  },
}

function remember(canaries: Canaries, value: unknown): void {
  if (typeof value === 'string' && value.length >= 12) canaries.add(value)
}

/** Every parameter of a URL or form that is a secret. */
export function rememberParameters(canaries: Canaries, parameters: URLSearchParams): void {
  for (const name of [
    'code',
    'state',
    'nonce',
    'code_verifier',
    'client_secret',
    'csrfToken',
    'password',
  ])
    remember(canaries, parameters.get(name))
}

/** Collects the secrets in requests to the provider and in its responses. */
export function collectingFetch(op: Issuer, canaries: Canaries): NonNullable<AuthConfig['fetch']> {
  return async (input, init) => {
    const request = new Request(input, init)
    rememberParameters(canaries, new URLSearchParams(await request.clone().text()))
    remember(canaries, request.headers.get('authorization')?.replace(/^\w+ /, ''))
    const response = await op.fetch(request)
    const text = await response.clone().text()
    for (const [, value] of text.matchAll(/"(?:access|refresh|id)_token": ?"([^"]+)/g))
      remember(canaries, value)
    return response
  }
}

export function rememberCookies(canaries: Canaries, tab: Browser): void {
  for (const { value } of tab.cookies.all()) {
    remember(canaries, value)
    remember(canaries, decodeURIComponent(value))
  }
}

export function expectNoCanaries(captured: CapturedLog, canaries: Canaries): void {
  const text = captured.text()
  const found = [...canaries].filter((canary) => text.includes(canary))
  expect(found).toEqual([])
}
