/** A site whose users confirm who they are with every type of provider. */
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { EmailConfig } from '../../../src/core/config/email.ts'
import type { OIDCConfig } from '../../../src/core/config/provider.ts'
import { StepUpRequired } from '../../../src/errors.ts'
import { requireAuth } from '../../../src/index.ts'
import type { AuditEvent, AuthConfig, RequireAuthOptions } from '../../../src/index.ts'
import { browser, issuer } from '../../../src/testing/index.ts'
import type { Browser, Values } from '../../../src/testing/index.ts'
import Credentials from '../../../src/providers/credentials.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { oidc, SECRET, silentLog } from '../../config.ts'
import { cookieValue, pass, SESSION } from '../../sessions.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'

export const op = await issuer({ algorithm: 'ES256' })
export const ADA = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }
export const EVE = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: true }

export const STRATEGIES = ['jwt', 'database'] as const
export type Strategy = (typeof STRATEGIES)[number]

export interface Site {
  readonly config: AuthConfig
  tab: Browser
  readonly mails: { url: string; code?: string | undefined }[]
  readonly events: AuditEvent[]
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

export function open(
  strategy: Strategy,
  {
    provider = {},
    mail = {},
    ...overrides
  }: Partial<AuthConfig> & {
    provider?: Partial<OIDCConfig>
    mail?: Partial<EmailConfig>
  } = {},
): Site {
  const adapter = MemoryAdapter()
  const mails: Site['mails'] = []
  const events: AuditEvent[] = []
  const config: AuthConfig = {
    adapter,
    session: { strategy, assurance: 'kept' },
    providers: [
      oidc(op, provider),
      {
        id: 'email',
        name: 'Email',
        type: 'email',
        sendVerificationRequest: async (sent) => void mails.push(sent),
        ...mail,
      },
      Credentials({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        async authorize({ email, password }) {
          return password === 'right'
            ? ((await adapter.getUserByEmail?.(String(email))) ?? null)
            : null
        },
      }),
      Passkey(),
    ],
    experimental: { enableWebAuthn: true },
    audit: { write: (event) => void events.push(event) },
    secret: SECRET,
    trustHost: true,
    fetch: op.fetch,
    logger: silentLog().logger,
    ...overrides,
  }
  return { config, tab: browser(config, { issuer: op }), mails, events, adapter }
}

export function required({ config, tab }: Site, options: RequireAuthOptions) {
  const cookie = `${SESSION}=${cookieValue(tab)}`
  const headers = { cookie, host: 'app.test', 'x-forwarded-proto': 'https' }
  return requireAuth(new Headers(headers), config, { redirectTo: '/settings', ...options })
}

/** The page of a step-up, which is required. */
export async function stepUp(
  site: Site,
  options: RequireAuthOptions = { maxAge: 60 },
): Promise<string> {
  const error = await required(site, options).catch((thrown: unknown) => thrown)
  if (!(error instanceof StepUpRequired)) throw new Error('No step-up is required.')
  return error.url
}

export const sealed = (url: string) => new URL(url).searchParams.get('stepUp') ?? ''

export const fieldsOf = (url: string) => ({ stepUp: sealed(url), callbackUrl: '/settings' })

export async function signedIn(site: Site, person: Values = ADA): Promise<void> {
  await site.tab.signIn('op', person)
  await pass(3600)
}

export async function mailed(site: Site, fields: Record<string, string>, email = ADA.email) {
  await site.tab.post('signin/email', { email, ...fields })
  return site.tab.request(site.mails.at(-1)?.url ?? '')
}

export const asPassword = (site: Site, fields: Record<string, string>, email = ADA.email) =>
  site.tab.post('callback/credentials', { email, password: 'right', ...fields })

export async function passkeyCeremony(site: Site, action: 'register' | 'authenticate') {
  const reply = await site.tab.request(`webauthn-options/passkey?action=${action}`)
  return (await reply.json()).options
}

export const key = createAuthenticator()

export async function addPasskey(site: Site, authenticator = key): Promise<void> {
  const data = JSON.stringify(authenticator.create(await passkeyCeremony(site, 'register')))
  await site.tab.post('callback/passkey', { action: 'register', data })
}

export async function asPasskey(site: Site, fields: Record<string, string>, authenticator = key) {
  const options = await passkeyCeremony(site, 'authenticate')
  const data = JSON.stringify(authenticator.get(options))
  return site.tab.post('callback/passkey', { action: 'authenticate', data, ...fields })
}

/** Confirms with a method; returns the last response. */
export type Method = (site: Site, fields: Record<string, string>) => Promise<Response>

export const METHODS: Record<string, Method> = {
  'a provider': async (site, fields) => (await site.tab.begin('op', fields)).complete(ADA),
  'a magic link': (site, fields) => mailed(site, fields),
  'a password': (site, fields) => asPassword(site, fields),
  'a passkey': (site, fields) => asPasskey(site, fields),
}
