/** A sign-in whose first step was accepted, in an encrypted cookie. No session reader looks at it. */
import type { ProvisionedUser, SessionContext } from '../contracts.ts'
import { deleteChunked, writeChunked } from '../cookies/jar.ts'
import { readChunked } from '../cookies/reader.ts'
import { open, seal } from '../crypto/seal.ts'
import { isRecord } from '../is-record.ts'
import type { Proved, StepUp } from '../evidence.ts'
import type { Proof } from '../session/facts.ts'

export interface PendingSignIn {
  readonly id: string
  readonly userId: string
  /** When the first step was accepted, in milliseconds since the epoch. */
  readonly provedAt: number
  /** What the first step proves. */
  readonly proof: Proof
  /** Changes with what the first step relies on: the address, its verification, and the password. */
  readonly state: string
  /** Without its functions. */
  readonly evidence: Proved
  readonly provisioned: Pick<ProvisionedUser, 'user' | 'account' | 'isNewUser' | 'wasVerified'>
  readonly stepUp?: StepUp | undefined
  /** The id of a factor that the user has to add. */
  readonly enrolling?: string | undefined
  /** What this browser typed in to sign in, for which it becomes known. */
  readonly typed?: string | undefined
}

function sealing({ config }: SessionContext) {
  return { secrets: config.secrets, salt: 'lib.pending', family: 'internal' } as const
}

/** Without the password, which has been checked, the passkey, and what the account contains as well: tokens are long. */
function packEvidence({ evidence, provisioned: { account } }: PendingSignIn) {
  const left = { ...evidence, credentials: undefined, passkey: undefined, account: undefined }
  if (!('stored' in evidence)) return { evidence: left, shared: [] }
  const columns = Object.entries(evidence.stored)
  const isShared = ([name, value]: [string, unknown]) => value === Reflect.get(account, name)
  const stored = Object.fromEntries(columns.filter((column) => !isShared(column)))
  const shared = columns.filter(isShared).map(([name]) => name)
  return { evidence: { ...left, stored }, shared }
}

/** @throws SessionTooLarge if the account and the profile of the provider take more than 12 kB */
export async function setPending(ctx: SessionContext, pending: PendingSignIn): Promise<void> {
  const cookie = ctx.cookies.pending
  const { maxAge = 0 } = cookie.options
  const packed = packEvidence(pending)
  // With the origin: another tenant may have the same secret and other users.
  const claims = { ...pending, ...packed, origin: ctx.origin }
  const value = await seal(claims, { ...sealing(ctx), maxAge })
  const { account } = pending.provisioned
  writeChunked(ctx.jar, cookie, { value, contents: { ...packed.evidence, account } })
}

type Claims = Readonly<Record<string, unknown>>

function isPending(claims: Claims): claims is Claims & PendingSignIn {
  const { id, userId, provedAt, state, proof, evidence, provisioned } = claims
  const areTexts = [id, userId, state].every((each) => typeof each === 'string' && each !== '')
  const areObjects = [proof, evidence, provisioned].every(isRecord)
  return areTexts && areObjects && typeof provedAt === 'number'
}

function unpack(pending: Claims & PendingSignIn): PendingSignIn {
  const { evidence, provisioned, shared } = pending
  const { account } = provisioned
  const names: readonly unknown[] = Array.isArray(shared) ? shared : []
  const copied = Object.fromEntries(
    names.map((name) => [String(name), Reflect.get(account, String(name))]),
  )
  const stored = 'stored' in evidence && { stored: Object.assign(copied, evidence.stored) }
  return { ...pending, evidence: Object.assign({}, evidence, { account }, stored) }
}

/** `null` without a valid cookie. */
export async function readPending(ctx: SessionContext): Promise<PendingSignIn | null> {
  for (const value of readChunked(ctx.jar, ctx.cookies.pending.name)) {
    const claims = await open(value, sealing(ctx))
    if (claims?.['origin'] === ctx.origin && isPending(claims)) return unpack(claims)
  }
  return null
}

export function deletePending({ jar, cookies }: SessionContext): void {
  deleteChunked(jar, cookies.pending)
}
