/** A site whose users have a second step, with every type of provider for the first. */
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import {
  confirmFactor,
  enrollFactor,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from '../../../src/factors.ts'
import type { AuditEvent, AuthConfig } from '../../../src/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc, SECRET, silentLog } from '../../config.ts'
import type { Log } from '../../config.ts'
import { requestOf, valueOf } from '../account/account-site.ts'
import { appCode } from './app-code.ts'

export const op = await issuer({ algorithm: 'ES256' })
export const ADA = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }

export const STRATEGIES = ['jwt', 'database'] as const
export type Strategy = (typeof STRATEGIES)[number]

export interface FactorSite {
  readonly config: AuthConfig
  readonly adapter: Adapter
  readonly log: Log
  readonly mails: { url: string; token?: string }[]
  readonly audited: AuditEvent[]
  /** The names of callbacks and events that were called. */
  readonly calls: string[]
  open(): Browser
}

export function factorSite(
  strategy: Strategy,
  { adapter = MemoryAdapter(), ...overrides }: Partial<AuthConfig> & { adapter?: Adapter } = {},
): FactorSite {
  op.reset()
  const { log, logger } = silentLog()
  const mails: FactorSite['mails'] = []
  const audited: AuditEvent[] = []
  const calls: string[] = []
  const config: AuthConfig = {
    adapter,
    session: { strategy },
    secondStep: {},
    providers: [
      oidc(op),
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        sendVerificationRequest: async (sent) => void mails.push(sent),
      },
      Credentials({
        id: 'password',
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        async authorize({ email, password }) {
          const user = await adapter.getUserByEmail?.(String(email))
          return password === 'right' ? (user ?? null) : null
        },
      }),
      Passkey(),
    ],
    callbacks: {
      jwt({ token }) {
        calls.push('jwt')
        return token
      },
    },
    events: { signIn: () => void calls.push('signIn') },
    experimental: { enableWebAuthn: true },
    audit: { write: (event) => void audited.push(event) },
    secret: SECRET,
    trustHost: true,
    fetch: op.fetch,
    logger,
    ...overrides,
  }
  return {
    config,
    adapter,
    log,
    mails,
    audited,
    calls,
    open: () => browser(config, { issuer: op }),
  }
}

/** What the user of a browser can do with their factors. */
export function factorsOf({ config }: Pick<FactorSite, 'config'>, tab: Browser) {
  return {
    list: () => valueOf(tab, listFactors(requestOf(tab), config)),
    enroll: (name?: string) => valueOf(tab, enrollFactor(requestOf(tab), config, { name })),
    confirm: (id: string, code: string) =>
      valueOf(tab, confirmFactor(requestOf(tab), config, { id, code })),
    remove: (id: string) => valueOf(tab, removeFactor(requestOf(tab), config, id)),
    renew: () => valueOf(tab, renewRecoveryCodes(requestOf(tab), config)),
  }
}

export interface EnrolledSite extends FactorSite {
  readonly userId: string
  /** The key of the authenticator app. */
  readonly secret: string
  readonly appId: string
  readonly recoveryCodes: readonly string[]
  /** Signed in, from before the factor was added. */
  readonly tab: Browser
}

/** Ada has signed up at the provider, and added an authenticator app with a code of the step before. */
export async function enrolledSite(...args: Parameters<typeof factorSite>): Promise<EnrolledSite> {
  const site = factorSite(...args)
  const tab = site.open()
  await tab.signIn('op', ADA)
  const { enroll, confirm } = factorsOf(site, tab)
  const { id: appId, secret } = await enroll()
  const { recoveryCodes } = await confirm(appId, await appCode(secret, -1))
  const user = await site.adapter.getUserByEmail?.(ADA.email)
  const id = user?.id ?? ''
  await site.adapter.updateUser?.({ id, emailVerified: new Date(0) })
  site.calls.length = 0
  site.audited.length = 0
  return { ...site, tab, secret, appId, recoveryCodes, userId: id }
}

/** Enters a code on the page of the second step. */
export function enterCode(
  tab: Browser,
  code: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  return tab.post('step-up', { code, ...fields })
}

export const PAGE = 'https://app.test/auth/step-up'

export const locationOf = (response: Response): string | null => response.headers.get('location')

/** The cookies of a sign-in that waits for its second step. */
export const pendingOf = (tab: Browser): readonly string[] =>
  tab.cookies.all().flatMap(({ name, value }) => (name.includes('lib.pending') ? [value] : []))
