import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { enter, passwordConfig } from '../../config.ts'

afterEach(() => void vi.restoreAllMocks())

/** A site whose password check fails. */
function failingConfig(overrides: Partial<AuthConfig> = {}): AuthConfig {
  const authorize = () => {
    throw new Error('The profile service is down.')
  }
  return passwordConfig(overrides, { authorize }).config
}

/** A browser at a site without a logger of its own, and what the site prints to `console.error`. */
function printing(config: AuthConfig): { tab: Browser; entries: () => string[] } {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const tab = browser({ ...config, logger: undefined })
  return { tab, entries: () => log.mock.calls.map(([entry]) => String(entry)) }
}

function recordingLogger() {
  return { error: vi.fn<(error: Error, ...details: unknown[]) => void>() }
}

async function referenceOn(page: Response): Promise<string | undefined> {
  return /Reference for support: <code>(.*?)<\/code>/.exec(await page.text())?.[1]
}

/** The reference at the end of the first line. */
function referenceIn(entry = ''): string | undefined {
  const [first = ''] = entry.split('\n')
  return /^\[auth\]\[error\] .* \[reference: ([\da-f]{4}-[\da-f]{4})\]$/.exec(first)?.[1]
}

describe('the reference of the error page', () => {
  test('is in the line of the log, for an error that is shown in place', async () => {
    const { tab, entries } = printing(passwordConfig({}, { authorize: undefined }).config)
    const page = await tab.request('signin')
    expect(page.status).toBe(500)
    const reference = referenceIn(entries()[0])
    expect(reference).toBeDefined()
    expect(await referenceOn(page)).toBe(reference)
  })

  test('is in the line of the log, for an error that redirects to the page', async () => {
    const { tab, entries } = printing(failingConfig())
    const failed = await enter(tab)
    expect(failed.headers.get('location')).toBe('https://app.test/auth/error?error=Configuration')
    const page = await tab.follow(failed)
    expect(page.status).toBe(500)
    const reference = referenceIn(entries()[0])
    expect(reference).toBeDefined()
    expect(await referenceOn(page)).toBe(reference)
    // The page can be reloaded.
    expect(await referenceOn(await tab.request('error?error=Configuration'))).toBe(reference)
  })

  test('is different for each error', async () => {
    const { tab, entries } = printing(failingConfig())
    await enter(tab)
    const page = await tab.follow(await enter(tab))
    const [first, second] = entries().map(referenceIn)
    expect(first).not.toBe(second)
    expect(await referenceOn(page)).toBe(second)
  })

  test('is passed to the logger of the application', async () => {
    const logger = recordingLogger()
    const tab = browser(failingConfig({ logger }))
    const page = await tab.follow(await enter(tab))
    const reference = await referenceOn(page)
    expect(logger.error.mock.calls).toEqual([[expect.any(Error), { reference }]])
  })

  test('is not shown for another error, nor in another browser', async () => {
    const config = failingConfig()
    const [tab, other] = [browser(config), browser(config)]
    await enter(tab)
    const pages = [
      tab.request('error?error=AccessDenied'),
      tab.request('error?error=TemporarilyUnavailable'),
      other.request('error?error=Configuration'),
    ]
    for (const page of await Promise.all(pages))
      expect(await page.text()).not.toContain('Reference')
  })

  test('is missing for an error of the user, which is not a failure of the site', async () => {
    const logger = recordingLogger()
    const callbacks = { signIn: () => false }
    const tab = browser(passwordConfig({ callbacks, logger }).config)
    const page = await tab.follow(await enter(tab))
    expect(page.status).toBe(403)
    expect(await referenceOn(page)).toBeUndefined()
    expect(logger.error.mock.calls).toEqual([[expect.objectContaining({ type: 'AccessDenied' })]])
  })

  test('is missing if the log omits a repeated error', async () => {
    const logger = recordingLogger()
    const tab = browser(passwordConfig({ secret: undefined, logger }).config)
    const [first, second] = [await tab.request('signin'), await tab.request('signin')]
    const reference = await referenceOn(first)
    expect(logger.error.mock.calls).toEqual([[expect.any(Error), { reference }]])
    expect(await referenceOn(second)).toBeUndefined()
  })
})
