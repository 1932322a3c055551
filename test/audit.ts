/** An audit log that records its events. */
import type { AuditEvent, AuditOptions } from '../src/index.ts'

export function recordAudit(options: Partial<AuditOptions> = {}) {
  const events: AuditEvent[] = []
  const write = (event: AuditEvent) => void events.push(event)
  const types = () => events.map(({ type, outcome }) => `${type} ${outcome}`)
  return { audit: { write, ...options }, events, types }
}
