/** The entry point `lib-auth/opentelemetry`: counts the events of the audit log. */
import { metrics } from '@opentelemetry/api'
import type { AuditEvent, AuditOptions } from './core/log/audit-event.ts'

const NAME = 'lib_auth.audit.events'

/**
 * Counts audit events in the counter `lib_auth.audit.events` of OpenTelemetry, with the attributes `type`, `outcome`,
 * `reason`, `limit` and `provider`. The counter contains no user, address or session.
 *
 * @param next also receives each event
 * @example
 * ```ts
 * import type { AuthConfig } from 'lib-auth'
 * import { countEvents } from 'lib-auth/opentelemetry'
 *
 * export const config: AuthConfig = {
 *   audit: { write: countEvents((event) => console.log(JSON.stringify(event))) },
 * }
 * ```
 */
export function countEvents(next?: AuditOptions['write']): (event: AuditEvent) => Promise<void> {
  return async (event) => {
    // For each event, because the application may register its meter provider later.
    const counter = metrics
      .getMeter('lib-auth')
      .createCounter(NAME, { unit: '{event}', description: 'Events of the audit log' })
    const { type, outcome, reason, limit, provider, dropped = 0 } = event
    const known = {
      ...(reason && { reason }),
      ...(limit && { limit }),
      ...(provider && { provider }),
    }
    counter.add(1, { type, outcome, ...known })
    if (dropped > 0) counter.add(dropped, { type: 'dropped', outcome: 'failure' })
    await next?.(event)
  }
}
