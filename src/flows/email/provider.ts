import type { EmailConfig } from '../../config/email.ts'
import { randomHex } from '../../crypto/random.ts'
import type { Database } from '../../database/database.ts'
import { normalizeAddress } from './address.ts'

/** Seconds for which a link is valid: 1 day. */
const MAX_AGE: number = 24 * 60 * 60

export interface EmailProvider {
  readonly id: string
  readonly config: EmailConfig
  readonly database: Database
  /** Lifetime of a link in seconds. */
  readonly maxAge: number
  normalize(address: string): string
  createToken(): string | PromiseLike<string>
}

export function resolveProvider(config: EmailConfig, database: Database): EmailProvider {
  return {
    id: config.id,
    config,
    database,
    maxAge: config.maxAge ?? MAX_AGE,
    normalize: (address) =>
      config.normalizeIdentifier ? config.normalizeIdentifier(address) : normalizeAddress(address),
    createToken: () =>
      config.generateVerificationToken ? config.generateVerificationToken() : randomHex(),
  }
}
