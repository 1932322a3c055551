/** Adds and removes the second factors of a user. */
import type { AdapterUser, StoredFactor } from '../database/adapter.ts'
import { InvalidRequest } from '../errors/classes.ts'
import { acceptCode } from './accept-code.ts'
import type { AcceptedCode, FactorContext } from './accept-code.ts'
import type { AuthenticatorApp, Enrollment, SecondFactors } from './factor-info.ts'
import { qrCode } from './qr-code.ts'
import { createCodes, hashCode } from './recovery-codes.ts'
import { openKey, sealKey } from './stored-key.ts'
import { createKey, keyText, keyUri } from './totp.ts'

/** The user whose factors are changed. */
export interface FactorOwner {
  readonly ctx: FactorContext
  readonly user: AdapterUser
}

type Key = Parameters<typeof keyText>[0]

/** Authenticator apps of a user. */
const MAX_APPS = 10
/** Enrolments that a user has begun and not finished. */
const MAX_PENDING = 5

const readFactors = ({ ctx, user }: FactorOwner): Promise<StoredFactor[]> =>
  ctx.query('listFactors', user.id)

const isApp = ({ type }: StoredFactor) => type === 'totp'
const isRecoveryCode = ({ type }: StoredFactor) => type === 'recovery'
const isConfirmedApp = (factor: StoredFactor) => isApp(factor) && factor.confirmed

const byAge = (one: StoredFactor, other: StoredFactor) =>
  one.created.getTime() - other.created.getTime()

function describe({ id, name, created }: StoredFactor): AuthenticatorApp {
  return { id, name, created }
}

export async function listFactors(owner: FactorOwner): Promise<SecondFactors> {
  const factors = await readFactors(owner)
  return {
    apps: factors.filter(isConfirmedApp).sort(byAge).map(describe),
    recoveryCodesLeft: factors.filter(isRecoveryCode).length,
  }
}

/** What the app of the user shows. */
async function present({ ctx, user }: FactorOwner, id: string, key: Key) {
  const issuer = ctx.config.theme.name ?? new URL(ctx.origin).host
  const uri = keyUri(key, { issuer, label: user.email ?? user.name ?? user.id })
  return { id, secret: keyText(key), uri, qrCode: await qrCode(uri) }
}

/** Deletes the oldest enrolments that were not finished. */
async function deleteUnfinished({ ctx }: FactorOwner, factors: readonly StoredFactor[]) {
  const unfinished = factors.filter((each) => isApp(each) && !each.confirmed).sort(byAge)
  for (const { id } of unfinished.slice(0, Math.max(0, unfinished.length - MAX_PENDING + 1)))
    await ctx.query('deleteFactor', id)
}

function checkRoom(factors: readonly StoredFactor[]): void {
  if (factors.filter(isConfirmedApp).length >= MAX_APPS)
    throw new InvalidRequest(
      `The user has ${MAX_APPS} authenticator apps. Remove one before adding another.`,
    )
}

async function createApp(
  { ctx, user }: FactorOwner,
  key: Key,
  given: Pick<StoredFactor, 'name' | 'confirmed'>,
): Promise<StoredFactor> {
  const owned = { id: crypto.randomUUID(), userId: user.id }
  const secret = await sealKey(ctx, owned, key)
  const factor = { ...owned, ...given, secret, lastStep: null, created: new Date() }
  const app: StoredFactor = { ...factor, type: 'totp' }
  await ctx.query('createFactor', app)
  return app
}

/** Begins an enrolment. @throws InvalidRequest if the user has ten authenticator apps */
export async function enroll(owner: FactorOwner, name: string | null): Promise<Enrollment> {
  const factors = await readFactors(owner)
  checkRoom(factors)
  await deleteUnfinished(owner, factors)
  const key = createKey()
  const { id } = await createApp(owner, key, { name, confirmed: false })
  return present(owner, id, key)
}

/** Whether a user can have another app with this key: they have none. @throws InvalidRequest as {@link enroll} */
export async function canImport(owner: FactorOwner, key: Key): Promise<boolean> {
  const factors = await readFactors(owner)
  const text = keyText(key)
  for (const factor of factors.filter(isConfirmedApp)) {
    const known = await openKey(owner.ctx, factor)
    if (known && keyText(known) === text) return false
  }
  checkRoom(factors)
  return true
}

/** Adds an app that the user has in another system. */
export async function importApp(
  owner: FactorOwner,
  key: Key,
  name: string | null,
): Promise<AuthenticatorApp> {
  return describe(await createApp(owner, key, { name, confirmed: true }))
}

/** An enrolment that was begun before; `null` if it does not exist, or was finished. */
export async function findEnrollment(owner: FactorOwner, id: string): Promise<Enrollment | null> {
  const factor = (await readFactors(owner)).find((each) => each.id === id)
  if (!factor || factor.confirmed || !isApp(factor)) return null
  const key = await openKey(owner.ctx, factor)
  return key && present(owner, id, key)
}

interface NewCode {
  readonly id: string
  readonly code: string
}

function newCodes(): readonly NewCode[] {
  return createCodes().map((code) => ({ id: crypto.randomUUID(), code }))
}

async function storeCodes({ ctx, user }: FactorOwner, codes: readonly NewCode[]): Promise<void> {
  for (const { id, code } of codes) {
    const [secret = ''] = await hashCode(ctx, user.id, code)
    await ctx.query('createFactor', {
      id,
      userId: user.id,
      type: 'recovery',
      secret,
      name: null,
      lastStep: null,
      confirmed: true,
      created: new Date(),
    })
  }
}

export interface FinishedEnrollment {
  readonly app: AuthenticatorApp
  readonly recoveryCodes: readonly string[]
  readonly accepted: AcceptedCode
  /** If what follows fails, the user can enter a code again: they have not seen the recovery codes. */
  readonly undo: () => Promise<void>
}

/** Deletes the codes, and makes the app one that is not confirmed. */
async function reopen(
  owner: FactorOwner,
  factor: StoredFactor,
  codes: readonly NewCode[],
): Promise<void> {
  const { ctx } = owner
  for (const { id } of codes) await ctx.query('deleteFactor', id)
  const now = (await readFactors(owner)).find(({ id }) => id === factor.id)
  if (!now?.confirmed) return
  await ctx.query('deleteFactor', factor.id)
  await ctx.query('createFactor', factor)
}

/** Finishes an enrolment with a code of the app; `null` if the code is wrong, or there is no such enrolment. */
export async function finishEnrollment(
  owner: FactorOwner,
  id: string,
  code: string,
): Promise<FinishedEnrollment | null> {
  const { ctx, user } = owner
  const factors = await readFactors(owner)
  const factor = factors.find((each) => each.id === id && isApp(each) && !each.confirmed)
  if (!factor) return null
  const codes = factors.some(isRecoveryCode) ? [] : newCodes()
  const undo = () => reopen(owner, factor, codes)
  try {
    const accepted = await acceptCode(ctx, user.id, { code, factors: [factor] })
    if (!accepted) return null
    await storeCodes(owner, codes)
    const recoveryCodes = codes.map((each) => each.code)
    return { app: describe(factor), recoveryCodes, accepted, undo }
  } catch (error) {
    await undo()
    throw error
  }
}

/** `null` if the user has no such app. */
export async function findApp(owner: FactorOwner, id: string): Promise<AuthenticatorApp | null> {
  const factor = (await readFactors(owner)).find((each) => each.id === id && isConfirmedApp(each))
  return factor ? describe(factor) : null
}

async function deleteApp(owner: FactorOwner, id: string): Promise<void> {
  try {
    await owner.ctx.query('deleteFactor', id)
  } catch (error) {
    // The response may have been lost.
    if ((await readFactors(owner)).some((each) => each.id === id)) throw error
  }
}

/** Deletes an authenticator app, and with the last one the recovery codes. */
export async function removeApp(owner: FactorOwner, id: string): Promise<void> {
  const factors = await readFactors(owner)
  const isLast = !factors.some((each) => isConfirmedApp(each) && each.id !== id)
  // The codes first: a call that is repeated after an error finds no app, and would leave them.
  if (isLast) await deleteAll(owner, factors.filter(isRecoveryCode))
  await deleteApp(owner, id)
  const rest = await readFactors(owner)
  // A concurrent request may have removed another one.
  if (!rest.some(isConfirmedApp)) await deleteAll(owner, rest)
}

async function deleteAll({ ctx }: FactorOwner, factors: readonly StoredFactor[]): Promise<void> {
  for (const { id } of factors) await ctx.query('deleteFactor', id)
}

/** Deletes all second factors; returns whether there were any that a sign-in requires. */
export async function resetFactors(owner: FactorOwner): Promise<boolean> {
  const factors = await readFactors(owner)
  // The apps last: if a call fails, the sign-in still requires a second step.
  await deleteAll(
    owner,
    factors.toSorted((one, other) => Number(isApp(one)) - Number(isApp(other))),
  )
  return factors.some(({ confirmed }) => confirmed)
}

/** Replaces the recovery codes. @throws InvalidRequest without an authenticator app */
export async function renewCodes(owner: FactorOwner): Promise<readonly string[]> {
  const factors = await readFactors(owner)
  if (!factors.some(isConfirmedApp))
    throw new InvalidRequest(
      'The user has no authenticator app, which recovery codes replace. Add one first.',
    )
  const codes = newCodes()
  await storeCodes(owner, codes)
  await deleteAll(owner, factors.filter(isRecoveryCode))
  return codes.map(({ code }) => code)
}
