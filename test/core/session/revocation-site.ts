/** Sites whose sessions in cookies can be revoked, with a store that counts its calls and can fail. */
import MemoryAdapter from '../../../src/adapters/memory.ts'
import { resolve } from '../../../src/core/config/resolve.ts'
import { createContext } from '../../../src/core/context.ts'
import type { SessionContext, SessionStrategy } from '../../../src/core/contracts.ts'
import { createJar } from '../../../src/core/cookies/jar.ts'
import { readRequest } from '../../../src/core/http/read-headers.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { passwordConfig } from '../../config.ts'
import type { Log } from '../../config.ts'
import { readWith, SESSION } from '../../sessions.ts'

type Store = NonNullable<AuthConfig['store']>

/** How often each method was called, and what happens instead of a call. */
export interface WatchedStore {
  readonly store: Store
  readonly calls: string[]
  /** Runs before each call. */
  fault: ((method: keyof Store) => unknown) | undefined
}

export function watch(of: Store = MemoryAdapter()): WatchedStore {
  const calls: string[] = []
  const around = async <T>(method: keyof Store, run: () => T): Promise<Awaited<T>> => {
    calls.push(method)
    await watched.fault?.(method)
    return await run()
  }
  const watched: WatchedStore = {
    calls,
    fault: undefined,
    store: {
      readRecords: (keys) => around('readRecords', () => of.readRecords(keys)),
      listRecords: (owner) => around('listRecords', () => of.listRecords(owner)),
      writeRecord: (record, ...expected) =>
        around('writeRecord', () => of.writeRecord(record, ...expected)),
      deleteRecords: (which) => around('deleteRecords', () => of.deleteRecords(which)),
    },
  }
  return watched
}

export const down = (): never => {
  throw new Error('The store is down.')
}

export interface Site {
  readonly config: AuthConfig
  readonly log: Log
  /** A browser of its own. */
  readonly open: () => Browser
  readonly session: SessionStrategy
  readonly context: (cookie?: string) => SessionContext
  /** The name of the user whose cookies these are, as this process sees it. */
  readonly read: (cookie: string) => Promise<string | null>
}

/** One process of a site with the password of Ada. */
export function startProcess(
  store: Store | undefined,
  overrides: Partial<AuthConfig> = {},
  provider: Parameters<typeof passwordConfig>[1] = {},
): Site {
  const { config, log } = passwordConfig(
    { ...(store && { store }), session: { revocation: {} }, protection: 'off', ...overrides },
    provider,
  )
  const { session } = resolve(config)
  return {
    config,
    log,
    session,
    open: () => browser(config),
    context(cookie = '') {
      const headers = new Headers({ cookie, host: 'app.test', 'x-forwarded-proto': 'https' })
      return createContext(readRequest(headers), createJar(cookie), resolve(config))
    },
    read: async (cookie) => (await readWith(cookie, config)).session?.user?.name ?? null,
  }
}

/** The session cookies of a browser, as a thief would copy them. */
export function copyCookies(tab: Browser): string {
  return tab.cookies
    .all()
    .filter(({ name }) => name.startsWith(SESSION))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}
