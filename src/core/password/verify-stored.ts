/** Compares a password with a stored hash, whatever has created it. */
import type { PasswordSettings } from '../config/password-options.ts'
import type { SessionContext } from '../contracts.ts'
import { AuthError } from '../errors/base.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { inTurn } from './hash-queue.ts'
import type { Awaitable } from '../types.ts'
import {
  canVerify,
  hashPassword,
  needsRehash,
  normalizePassword,
  verifyPassword,
} from './hash-password.ts'

/** `outdated`: it is right, and its hash should be replaced. */
export type Comparison = 'right' | 'outdated' | 'wrong'

type Hashing = Pick<PasswordSettings, 'hasher' | 'legacy'>
type HashContext = Pick<SessionContext, 'config' | 'secrets'>

/** Runs a function of the application like a hash of the library: at most four at a time. */
async function run<T>({ secrets }: HashContext, what: string, work: () => Awaitable<T>) {
  try {
    return await inTurn(async () => work())
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new InvalidConfiguration(`${what} threw an error.`, { cause: secrets.redact(error) })
  }
}

/** @throws InvalidRequest, TemporarilyUnavailable */
export async function createHash(
  ctx: HashContext,
  { hasher }: Pick<Hashing, 'hasher'>,
  password: string,
): Promise<string> {
  if (!hasher) return hashPassword(password)
  const hash: unknown = await run(ctx, 'hasher.hash', () => hasher.hash(normalized(password)))
  if (typeof hash === 'string' && hash !== '') return hash
  throw new InvalidConfiguration('hasher.hash did not return a text. Return the hash to store.')
}

function normalized(password: string): string {
  return normalizePassword(password) ?? ''
}

const placeholders: WeakMap<object, Promise<string>> = new WeakMap()

/** A hash by the hasher of the application that no user has, created once. */
async function placeholder(ctx: HashContext, hasher: NonNullable<Hashing['hasher']>) {
  const known = placeholders.get(hasher)
  if (known) return known
  const created = createHash(ctx, { hasher }, crypto.randomUUID())
  placeholders.set(hasher, created)
  created.catch(() => placeholders.delete(hasher))
  return created
}

/** `null`: the hasher does not read the hash. */
async function compare(
  ctx: HashContext,
  { hasher }: Hashing,
  password: string,
  stored: string | null,
): Promise<boolean | null> {
  if (!hasher) return stored === null || canVerify(stored) ? verifyPassword(password, stored) : null
  const hash = await placeholder(ctx, hasher)
  try {
    const isRight: unknown = await run(ctx, 'hasher.verify', () =>
      hasher.verify(normalized(password), stored ?? hash),
    )
    return isRight === true && stored !== null
  } catch (error) {
    if (error instanceof InvalidConfiguration) return null
    throw error
  }
}

/** Whether a function of `legacy` returns `true`; `null`: none reads the hash. */
async function isLegacy(
  ctx: HashContext,
  { legacy }: Hashing,
  password: string,
  stored: string,
): Promise<boolean | null> {
  let isRead = false
  for (const [index, verify] of legacy.entries()) {
    try {
      const isRight: unknown = await run(ctx, `legacy[${index}]`, () => verify(password, stored))
      if (isRight === true) return true
      isRead = true
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error
      ctx.config.log.debug?.('legacy hash not read', { reason: error.message })
    }
  }
  return isRead ? false : null
}

function reportUnread({ config }: HashContext): void {
  config.log.error(
    new InvalidConfiguration(
      'No function reads the stored hash of a user, so the password was rejected. Add the function that verifies such hashes to the option legacy of Password.',
    ),
  )
}

/**
 * Takes the same steps without a stored hash, as for an unknown user. A password that no user can have is wrong without
 * a comparison.
 *
 * @throws TemporarilyUnavailable
 */
export async function verifyStored(
  ctx: HashContext,
  hashing: Hashing,
  password: unknown,
  stored: string | null,
): Promise<Comparison> {
  if (typeof password !== 'string' || normalizePassword(password) === null) return 'wrong'
  const { hasher, legacy } = hashing
  const isRight = await compare(ctx, hashing, password, stored)
  if (isRight && stored !== null) {
    const isOutdated = hasher ? await hasher.needsRehash?.(stored) : needsRehash(stored)
    return isOutdated === true ? 'outdated' : 'right'
  }
  if (stored === null || (isRight === false && !hasher)) return 'wrong'
  const isOld = await isLegacy(ctx, { hasher, legacy }, password, stored)
  if (isOld) return 'outdated'
  if (isRight === null) {
    if (isOld === null) reportUnread(ctx)
    // As for a user whose hash the hasher reads.
    await compare(ctx, hashing, password, null)
  }
  return 'wrong'
}
