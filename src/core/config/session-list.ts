/** The options `session.devices` and `session.maxPerUser`. */
import { resolveStrategy, storesRecords } from './adapter.ts'
import { mismatch } from './describe-value.ts'
import type { AuthConfig } from './types.ts'

/** Sessions of a user that are counted. */
const MOST = 1_000

/** Whether records of sessions are written. */
export function listsSessions({ session = {} }: Pick<AuthConfig, 'session'>): boolean {
  const { devices = 'off', maxPerUser } = session
  return devices !== 'off' || maxPerUser !== undefined
}

export function* sessionListProblems(config: AuthConfig): Iterable<string> {
  const { devices, maxPerUser }: { devices?: unknown; maxPerUser?: unknown } = config.session ?? {}
  const choices = ['off', 'listed', 'described']
  if (devices !== undefined && !choices.some((each) => each === devices))
    yield mismatch('session.devices', '"off", "listed" or "described"', devices)
  const isCount = typeof maxPerUser === 'number' && Number.isInteger(maxPerUser)
  if (maxPerUser !== undefined && !(isCount && maxPerUser >= 1 && maxPerUser <= MOST))
    yield mismatch('session.maxPerUser', `a whole number from 1 to ${MOST}`, maxPerUser)
  const option = maxPerUser === undefined ? 'session.devices' : 'session.maxPerUser'
  if (listsSessions(config) && !storesRecords(config))
    yield `${option} needs records, which store which sessions a user has. Set store, for example to RedisAdapter(client), or pass with: ["records"] to an adapter for SQL.`
  const { adapter } = config
  const isDatabase = resolveStrategy(config) === 'database'
  if (listsSessions(config) && isDatabase && typeof adapter === 'object' && !adapter.listSessions)
    yield `${option} needs the method listSessions, which the adapter lacks. Add it, or leave the option out.`
}
