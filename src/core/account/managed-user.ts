import type { AuditContext, AuditFact, SessionContext, Subject } from '../contracts.ts'
import type { AdapterUser } from '../database/adapter.ts'
import type { DatabaseAccess } from '../database/database.ts'

/** A user whose account is changed: by themselves, or by the application. */
export interface ManagedUser {
  readonly ctx: AuditContext & SessionContext & DatabaseAccess
  readonly user: AdapterUser
  /** Whose session sent the request; `null`: the application makes the change. */
  readonly current: Subject | null
  readonly actor: AuditFact['actor']
}
