/** Where the tokens of one user at one provider are stored. */
import type { Subject } from '../contracts.ts'
import type { Awaitable } from '../types.ts'
import type { StoredTokens } from './stored-tokens.ts'

export interface TokenVault {
  /** `null`: the user has no account at the provider. */
  read(): Awaitable<StoredTokens | null>
  write(tokens: StoredTokens): Promise<void>
  /** Writes what follows the tokens that were read last; nothing if they were deleted or replaced meanwhile. */
  replace(tokens: StoredTokens): Promise<void>
  /** Deletes these tokens; nothing if they were replaced meanwhile. */
  remove(tokens: StoredTokens): Promise<void>
  /**
   * Of cookies: changes one that shows whether those of the tokens can be set. @throws RangeError if they take too much room
   */
  probe?(tokens: StoredTokens): Promise<void>
  /** Whether every process reads what one has written; else only the browser of this request has it. */
  readonly isShared: boolean
  /** Whether the tokens end with the session. */
  readonly isOfSession: boolean
}

export interface VaultKey {
  readonly userId: string
  readonly provider: string
  /** Selects one of several accounts at the provider. @default the first, in the order of their ids */
  readonly account: string | undefined
}

export interface SessionKey extends Omit<VaultKey, 'userId'> {
  /** Tokens that are stored for one session are sealed with its id: those of another session do not open. */
  readonly subject: Subject
}
