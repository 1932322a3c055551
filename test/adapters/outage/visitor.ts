/** A visitor of a separate site whose database can be blocked before any call. */
import type { Adapter } from '../../../src/adapters/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc, SECRET, silentLog, TYPED } from '../../config.ts'
import type { Log } from '../../config.ts'
import { remember } from '../../core/faults/secrets.ts'

export const op = await issuer({ clientSecret: 'client secret for outages', algorithm: 'ES256' })

/** Number of stored rows of one user. */
export interface Stored {
  readonly users: number
  readonly accounts: number
  readonly sessions: number
}

export interface Visitor {
  readonly tab: Browser
  readonly adapter: Adapter
  readonly person: { readonly sub: string; readonly email: string; readonly name: string }
  readonly log: Log
  /** Sent magic links, oldest first. */
  readonly links: string[]
  /** All secrets that were sent. */
  readonly secrets: Set<string>
  /** Methods of the adapter that were called since {@link Visitor.watch}. */
  readonly calls: string[]
  /** Resets the calls; the call with this number waits for the gate. */
  watch(last?: number, gate?: () => Promise<void>): void
}

function transact<T>(adapter: Adapter, work: (inner: Adapter) => Promise<T>): Promise<T> {
  if (!adapter.transaction) throw new Error('The adapter has no transactions.')
  return adapter.transaction(work)
}

/** The adapter; `before` runs before each call, also in transactions. */
function watched(adapter: Adapter, before: (method: string) => Promise<void> | undefined): Adapter {
  const all: Adapter = {
    ...adapter,
    ...(adapter.transaction && {
      transaction: (work) => transact(adapter, (inner) => work(watched(inner, before))),
    }),
  }
  return Object.fromEntries(
    Object.entries(all).map(([method, run]: [string, (...args: unknown[]) => unknown]) => [
      method,
      async (...args: unknown[]) => {
        await before(method)
        return run(...args)
      },
    ]),
  )
}

/** A visitor of a site over an adapter. */
export function visitor(adapter: Adapter, session: AuthConfig['session'] = {}): Visitor {
  const sub = crypto.randomUUID()
  // Long, so that it does not fit into a full database.
  const person = { sub, email: `${sub}@example.com`, name: 'Grace Hopper '.repeat(90) }
  const { log, logger } = silentLog()
  const links: string[] = []
  const calls: string[] = []
  const secrets = new Set([op.clientSecret, SECRET, TYPED.password])
  const plan: { last: number; gate: () => Promise<void> } = { last: 0, gate: async () => undefined }
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    session: { strategy: 'database', ...session },
    adapter: watched(adapter, (method) =>
      calls.push(method) === plan.last ? plan.gate() : undefined,
    ),
    async fetch(input, init) {
      const request = new Request(input, init)
      remember(secrets, await request.clone().text())
      const response = await op.fetch(request)
      remember(secrets, await response.clone().text())
      return response
    },
    logger,
    debug: true,
    providers: [
      oidc(op),
      {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest({ url, token }) {
          links.push(url)
          secrets.add(token)
        },
      },
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        createUser: true,
        credentials: { username: {}, password: {} },
        authorize: ({ password }) =>
          password === TYPED.password ? { email: person.email, name: person.name } : null,
      },
    ],
  }
  const tab = browser(config, { issuer: op })
  async function recordSecrets(answer: Promise<Response>): Promise<Response> {
    const response = await answer
    remember(secrets, response.headers.get('location') ?? '')
    for (const { name, value } of tab.cookies.all())
      if (!name.endsWith('callback-url')) secrets.add(decodeURIComponent(value))
    return response
  }
  return {
    tab: {
      ...tab,
      request(...args) {
        remember(secrets, args[0])
        return recordSecrets(tab.request(...args))
      },
      post: (...args) => recordSecrets(tab.post(...args)),
    },
    adapter,
    person,
    log,
    links,
    secrets,
    calls,
    watch(last = 0, gate = async () => undefined) {
      calls.length = 0
      Object.assign(plan, { last, gate })
    },
  }
}
