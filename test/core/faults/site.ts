/** A site that records every call of adapter, provider, mailer, callbacks and events. */
import type { Adapter } from '../../../src/adapters/index.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { EmailConfig, EmailMethod } from '../../../src/core/config/email.ts'
import type { AuthConfig, CallbacksOptions, EventsOptions } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import type { Fetch } from '../../../src/core/types.ts'
import { oidc, SECRET, silentLog, TYPED } from '../../config.ts'
import type { Log } from '../../config.ts'
import { oauth } from '../../oauth.ts'
import { recorder } from './recorder.ts'
import type { Recorder } from './recorder.ts'
import { rowsOf } from './rows.ts'
import type { Rows } from './rows.ts'
import { remember } from './secrets.ts'

export const op = await issuer({ clientSecret: 'client secret for faults', algorithm: 'ES256' })

export type Strategy = 'jwt' | 'database'
/** `whole`: every method. `minimal`: required methods only. */
export type AdapterKind = 'whole' | 'minimal'

/** Optional methods. */
const OPTIONAL = new Set([
  'deleteExpired',
  'deleteUserSessions',
  'deleteVerificationTokens',
  'listAccounts',
  'listSessions',
  'transaction',
  'updateAccount',
])

export interface Site {
  readonly strategy: Strategy
  readonly adapterKind: AdapterKind
  readonly config: AuthConfig
  readonly log: Log
  readonly recorder: Recorder
  readonly rows: Rows
  /** Links that were sent, oldest first. */
  readonly mails: string[]
  /** Codes that were sent, oldest first. */
  readonly codes: string[]
  /** Every secret that was sent or received. */
  readonly secrets: Set<string>
  open(): Browser
}

function recordedFetch(record: Recorder, secrets: Set<string>): Fetch {
  const send = async (request: Request): Promise<Response> => {
    remember(secrets, await request.clone().text())
    const response = await op.fetch(request)
    remember(secrets, await response.clone().text())
    return response
  }
  return (input, init) => {
    const request = new Request(input, init)
    const { method, url } = request
    const work = record.wrap(`fetch ${method} ${new URL(url).pathname}`, (..._args: unknown[]) =>
      send(request),
    )
    return work(input, init)
  }
}

function transact<T>(adapter: Adapter, work: (inner: Adapter) => Promise<T>): Promise<T> {
  if (!adapter.transaction) throw new Error('The adapter has no transactions.')
  return adapter.transaction(work)
}

/** The methods of an adapter, those of its transactions included. */
function recordedAdapter(record: Recorder, adapter: Adapter): Adapter {
  const recorded: Adapter = {
    ...adapter,
    ...(adapter.transaction && {
      transaction: (work) => transact(adapter, (inner) => work(recordedAdapter(record, inner))),
    }),
  }
  return record.wrapAll('adapter', recorded)
}

const callbacks: CallbacksOptions = {
  signIn: () => true,
  redirect: ({ url, baseUrl }) => (new URL(url, baseUrl).origin === baseUrl ? url : baseUrl),
  jwt: ({ token, account, trigger, session }) => ({
    ...token,
    ...(account?.access_token && { access_token: account.access_token }),
    ...(trigger === 'update' && { theme: String(session?.theme) }),
  }),
  session: ({ session, token, newSession }) => ({
    user: { name: session.user.name ?? null, email: session.user.email ?? null },
    expires: session.expires,
    theme: newSession?.theme ?? token?.['theme'],
  }),
}

const nothing = (): void => undefined
const events: EventsOptions = {
  signIn: nothing,
  signOut: nothing,
  createUser: nothing,
  updateUser: nothing,
  linkAccount: nothing,
  session: nothing,
}

/** Opens a site; `alter` changes its configuration. */
export function siteWith(
  strategy: Strategy,
  adapterKind: AdapterKind,
  alter: (config: AuthConfig) => AuthConfig = (config) => config,
): Site {
  // Attempts of one cell must not count in the next.
  Reflect.deleteProperty(globalThis, Symbol.for('lib-auth.process.1'))
  const record = recorder()
  const secrets = new Set([op.clientSecret, SECRET, TYPED.password])
  const memory = MemoryAdapter()
  const { rows, counted } = rowsOf(memory)
  const has = (name: string) => adapterKind === 'whole' || !OPTIONAL.has(name)
  const offered = Object.fromEntries(Object.entries(counted).filter(([name]) => has(name)))
  const { log, logger } = silentLog()
  const mails: string[] = []
  const codes: string[] = []
  const mailer = (id: string, method: EmailMethod): EmailConfig => ({
    id,
    name: 'Mail',
    type: 'email',
    method,
    sendVerificationRequest: record.wrap('mail.send', ({ url, token, code }) => {
      mails.push(url)
      secrets.add(token)
      if (code !== undefined) codes.push(code)
    }),
  })
  const config = alter({
    secret: SECRET,
    trustHost: true,
    session: { strategy },
    adapter: recordedAdapter(record, offered),
    fetch: recordedFetch(record, secrets),
    callbacks: record.wrapAll('callback', callbacks),
    events: record.wrapAll('event', events),
    logger,
    debug: true,
    providers: [
      oidc(op),
      oauth(op, {
        id: 'plain',
        profile: ({ sub, name = null, email = null }) => ({ id: String(sub), name, email }),
      }),
      mailer('mail', 'link'),
      mailer('code', 'code'),
      mailer('both', 'both'),
      {
        id: 'password',
        name: 'Password',
        type: 'credentials',
        credentials: { username: {}, password: {} },
        authorize: record.wrap('authorize', async ({ username, password }) => {
          const isRight = username === TYPED.username && password === TYPED.password
          return isRight ? memory.getUserByEmail(GRACE.email) : null
        }),
      },
    ],
  })
  const open = () => {
    const tab = browser(config, { issuer: op })
    return {
      ...tab,
      async request(...[target, request]: Parameters<Browser['request']>) {
        remember(secrets, target)
        const response = await tab.request(target, request)
        remember(secrets, response.headers.get('location') ?? '')
        for (const { name, value } of tab.cookies.all())
          if (!name.endsWith('callback-url')) secrets.add(decodeURIComponent(value))
        return response
      },
    }
  }
  return { strategy, adapterKind, config, log, recorder: record, rows, mails, codes, secrets, open }
}

/** An existing user, who can sign in with the password. */
export const GRACE = { name: 'Grace Hopper', email: 'grace@example.com' }
