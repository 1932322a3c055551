/** The option `session.revocation`. */
import { isRecord } from '../is-record.ts'
import type { RecordAccess } from '../records/access.ts'
import type { RevocationSettings } from '../records/deny-list.ts'
import type { JWTSessionSettings } from '../session/jwt.ts'
import { resolveStrategy, storesRecords } from './adapter.ts'
import { LONGEST_IDLE } from './defaults.ts'
import { endsByProvider } from './logout-options.ts'
import { mismatch } from './describe-value.ts'
import { listsSessions } from './session-list.ts'
import { tokenSettings } from './token-settings.ts'
import type { AuthConfig } from './types.ts'

/** Seconds: sessions that have ended must not stay valid for long. */
const LONGEST = 60 * 60

const isDuration = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= LONGEST

type Options = Pick<AuthConfig, 'adapter' | 'jwt' | 'logout' | 'secret' | 'session' | 'store'>

/** Undefined: sessions in cookies do not end before they expire. */
function revocationSettings(config: Options): RevocationSettings | undefined {
  const isImplied = listsSessions(config) || endsByProvider(config.logout)
  const { revocation = isImplied ? {} : undefined } = config.session ?? {}
  if (!revocation || resolveStrategy(config) === 'database') return undefined
  const { maxStaleness = 0, whenDown } = revocation
  return {
    maxStaleness,
    acceptFor: typeof whenDown === 'object' ? whenDown.acceptFor : 0,
    // A session with a lifetime of its own may last longer than the others.
    keepFor: config.session?.lifetime ? LONGEST_IDLE : tokenSettings(config).maxAge,
  }
}

/** Loads what reads the records of sessions that have ended. */
export function sessionRevocations(
  config: Options,
  records: RecordAccess | undefined,
): JWTSessionSettings['revocations'] {
  const settings = revocationSettings(config)
  if (!settings || !records) return undefined
  return async (decoder) =>
    (await import('../session/revocations.ts')).revocations(records, settings, decoder)
}

function* durationProblems(revocation: Record<string, unknown>): Iterable<string> {
  const { maxStaleness, whenDown = 'refuse' } = revocation
  const seconds = `a number of seconds from 0 to ${LONGEST}`
  if (maxStaleness !== undefined && !isDuration(maxStaleness))
    yield mismatch('session.revocation.maxStaleness', seconds, maxStaleness)
  if (whenDown === 'refuse') return
  if (!isRecord(whenDown))
    yield mismatch('session.revocation.whenDown', '"refuse" or { acceptFor: seconds }', whenDown)
  else if (!isDuration(whenDown['acceptFor']))
    yield mismatch('session.revocation.whenDown.acceptFor', seconds, whenDown['acceptFor'])
}

export function* revocationProblems(config: Options): Iterable<string> {
  const revocation: unknown = config.session?.revocation
  if (revocation === undefined) return
  if (!isRecord(revocation)) {
    yield `${mismatch('session.revocation', 'an object', revocation)} Write session: { revocation: {} }.`
    return
  }
  yield* durationProblems(revocation)
  if (resolveStrategy(config) === 'database')
    yield 'session.revocation is for session.strategy "jwt": sessions in the database end when their row is deleted. Leave it out.'
  else if (!storesRecords(config))
    yield 'session.revocation needs records, which store that a session has ended. Set store, for example to RedisAdapter(client), or pass with: ["records"] to an adapter for SQL.'
}
