/** What an older version cannot do with what this configuration has written (`--downgrade`). */
import type { Adapter } from '../../core/database/adapter.ts'
import { resolveStrategy } from '../../core/config/adapter.ts'
import { findPasswordSupport } from '../../core/config/password-support.ts'
import { byVersion, ownVersion, releaseOf } from '../own-version.ts'
import { topic } from './context.ts'
import type { DoctorContext, Finding } from './context.ts'
import { placeOf } from './tokens.ts'

/** Counts as the version before 0.1.0. */
export const NEXT_AUTH = 'next-auth'

const FIRST = '0.1.0'

/** Whether the running version can be replaced by this one: `next-auth`, an earlier release or a prerelease of it. */
export function isEarlier(version: string, own: string = ownVersion()): boolean {
  if (version === NEXT_AUTH) return true
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) || version === own) return false
  const release = releaseOf(version)
  const order = byVersion(release, releaseOf(own))
  if (byVersion(release, FIRST) < 0) return false
  if (order !== 0) return order < 0
  // A release comes after its prereleases.
  return release !== version && (own === release || byVersion(version, own) < 0)
}

const { ok, warning, error } = topic('downgrade')

function* sessionsFor({ config }: DoctorContext): Generator<Finding> {
  const { session = {}, cookies } = config
  const isStored = resolveStrategy(config) === 'database'
  if (isStored && session.hashTokens)
    yield warning`the database has hashes of session tokens, which next-auth does not find: all users have to sign in again. → Delete the rows of the table of sessions afterwards.`
  else if (!(isStored && cookies?.sessionToken?.name))
    yield warning`next-auth has another session cookie: all users have to sign in again. → Keep the tables: users and their accounts stay.`
}

/** Nothing without `--downgrade`. */
export function* checkDowngrade(context: DoctorContext, adapter?: Adapter): Generator<Finding> {
  const { config, order, providers } = context
  const { downgrade } = order
  if (downgrade === undefined) return
  // Each release until now reads what the others write (test/upgrade/downgrade.test.ts).
  if (downgrade !== NEXT_AUTH)
    return yield ok`lib-auth ${downgrade} reads everything that this configuration has written. Tables and columns that were added can stay.`
  yield* sessionsFor(context)
  if (adapter?.listFactors)
    yield error`next-auth does not ask for the second step: users who have one sign in without it. → Before, require a second factor at their provider, or remove the sign-in methods that it protects.`
  if (providers.some((each) => each.type === 'credentials' && findPasswordSupport(each)))
    yield error`next-auth has no provider Password(): users with only a password cannot sign in. → Before, let them link another account, or write a credentials provider that reads the table of passwords.`
  const { tokens } = config
  if (tokens && tokens.stored !== 'plain' && placeOf(config, adapter) === 'account')
    yield warning`the tokens of accounts are encrypted, and next-auth returns them so. → Before, set tokens.stored to "plain"; tokens are decrypted when they are refreshed, or when the user signs in again.`
}
