/** A site whose users sign in with a password of the library. */
import crypto, { scryptSync } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'
import { onTestFinished, vi } from 'vitest'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import type { AccountMail } from '../../../src/core/mail/account-mail.ts'
import type { AuditEvent, AuthConfig } from '../../../src/index.ts'
import { Password } from '../../../src/password.ts'
import type { PasswordOptions } from '../../../src/password.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { SECRET, silentLog } from '../../config.ts'
import type { Log } from '../../config.ts'
import { recordCalls } from '../../database.ts'
import type { RecordedAdapter } from '../../database.ts'

export const ADA = 'ada@example.com'
export const RIGHT = 'correct horse battery staple'
export const STRATEGIES = ['jwt', 'database'] as const

/** A hash of the library with low costs, which is replaced at the next sign-in. */
export function cheapHash(password: string, salt = Buffer.from('0123456789abcdef')): string {
  const hash = scryptSync(password.normalize('NFKC'), salt, 32, { N: 2, r: 1, p: 1 })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=1,r=1,p=1$${text(salt)}$${text(hash)}`
}

type WithOptions = (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
  done: (error: Error | null, hash: Buffer) => void,
) => void

const { scrypt } = crypto as { readonly scrypt: WithOptions }

/** Counts hashes by their costs; each is computed with low ones until the test ends, so that it takes no time. */
export function countHashes(): string[] {
  const hashes: string[] = []
  const cheap: WithOptions = (password, salt, length, { N, r, p }, done) => {
    hashes.push(`${N}/${r}/${p}`)
    scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, done)
  }
  const mock = vi.spyOn(crypto, 'scrypt').mockImplementation(cheap as typeof crypto.scrypt)
  onTestFinished(() => mock.mockRestore())
  return hashes
}

export interface PasswordSite extends RecordedAdapter {
  readonly config: AuthConfig
  readonly log: Log
  /** The costs of all hashes that were computed. */
  readonly hashes: string[]
  readonly audited: AuditEvent[]
  readonly stored: Adapter
  readonly open: () => Browser
  /** Creates a user with a password; returns the id. */
  readonly createUser: (
    email?: string,
    options?: { hash?: string | null; emailVerified?: Date | null },
  ) => Promise<string>
  /** Which of these passwords a new browser signs in with. */
  readonly accepted: (passwords: readonly string[]) => Promise<boolean[]>
}

export interface PasswordSiteOptions {
  readonly adapter?: Adapter
  readonly password?: PasswordOptions
  readonly config?: Partial<AuthConfig>
}

export function passwordSite({
  adapter = MemoryAdapter(),
  password,
  config: overrides,
}: PasswordSiteOptions = {}): PasswordSite {
  const { log, logger } = silentLog()
  const audited: AuditEvent[] = []
  const recorded = recordCalls(adapter)
  const config: AuthConfig = {
    providers: [Password(password)],
    adapter: recorded.adapter,
    secret: SECRET,
    trustHost: true,
    logger,
    audit: { write: (event) => void audited.push(event) },
    ...overrides,
  }
  return {
    ...recorded,
    config,
    log,
    hashes: countHashes(),
    audited,
    stored: adapter,
    open: () => browser(config),
    async createUser(email = ADA, { hash = cheapHash(RIGHT), emailVerified = new Date(0) } = {}) {
      const row = { id: crypto.randomUUID(), name: 'Ada', email, emailVerified, image: null }
      const user = await adapter.createUser?.(row)
      if (!user) throw new Error('The user was not created.')
      if (hash !== null)
        await adapter.setPassword?.(user.id, { hash, changed: new Date('2026-01-02T03:04:05Z') })
      return user.id
    },
    async accepted(passwords) {
      const found: boolean[] = []
      for (const each of passwords) {
        const tab = browser(config)
        await enter(tab, each)
        found.push((await tab.session()) !== null)
      }
      return found
    },
  }
}

/** Submits the form of the sign-in page. */
export function enter(
  tab: Browser,
  password: string = RIGHT,
  email: string = ADA,
): Promise<Response> {
  return tab.post('callback/password', { email, password })
}

export function locationOf({ headers }: Response): string | null {
  return headers.get('location')
}

/** Where a rejected password leads. */
export const REJECTED = 'https://app.test/auth/signin?error=CredentialsSignin&code=credentials'

/** A site that sends mails about passwords. */
export interface MailedSite extends PasswordSite {
  readonly mails: AccountMail[]
}

export function mailedSite(
  strategy: 'jwt' | 'database',
  { config, ...options }: PasswordSiteOptions = {},
): MailedSite {
  const mails: AccountMail[] = []
  const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
  const account: AuthConfig['account'] = { send: (mail) => void mails.push(mail) }
  const site = passwordSite({ ...options, config: { session, account, ...config } })
  return { ...site, mails }
}
