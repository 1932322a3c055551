/** Bind the return from a provider to the sign-out that led there; each has its own cookie. */
import type { LogoutHint } from '../logout/logout-hint.ts'
import type { Context, SessionContext } from '../contracts.ts'
import { isCookieShort } from '../cookies/syntax.ts'
import { sha256 } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import { isRecord } from '../is-record.ts'
import { findUsed, makeRoom, markUsed } from './transaction.ts'

export interface LogoutTransaction {
  readonly state: string
  /** Validated before it was sealed. */
  readonly returnTo: string
  /** Providers at which the user has yet to sign out. */
  readonly remaining: readonly LogoutHint[]
}

const KEY = { salt: 'lib.logout', family: 'internal' } as const

const isText = (value: unknown): value is string => typeof value === 'string'
const isOptionalList = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.every(isText))
const isOptionalText = (value: unknown) => value === undefined || isText(value)

/** What was sealed as a list of hints; what is not one is left out. */
export function readHintList(list: unknown): readonly LogoutHint[] {
  const isHint = (each: unknown): each is LogoutHint =>
    isRecord(each) &&
    isText(each['provider']) &&
    isText(each['issuedBy']) &&
    isOptionalText(each['idToken']) &&
    isOptionalText(each['logoutHint']) &&
    isOptionalList(each['owners'])
  return Array.isArray(list) ? list.filter(isHint) : []
}

export function withoutIdTokens(hints: readonly LogoutHint[]): readonly LogoutHint[] {
  return hints.map((hint) => ({ ...hint, idToken: undefined }))
}

async function locate({ cookies }: Pick<SessionContext, 'cookies'>, state: string) {
  const hash = await sha256(`logout ${state}`, 'hex')
  const { name, options } = cookies.logout
  return { hash, cookie: { name: `${name}.${hash.slice(0, 8)}`, options } }
}

/** Without the ID tokens of the remaining providers if browsers would reject the cookie for its length. */
export async function createLogoutTransaction(
  ctx: Context,
  transaction: LogoutTransaction,
): Promise<void> {
  const { cookie } = await locate(ctx, transaction.state)
  const { secrets } = ctx.config
  const maxAge = cookie.options.maxAge ?? 0
  const sealed = async (content: LogoutTransaction) => ({
    ...cookie,
    value: await seal({ ...content }, { secrets, ...KEY, maxAge }),
  })
  const whole = await sealed(transaction)
  const remaining = withoutIdTokens(transaction.remaining)
  const set = isCookieShort(whole) ? whole : await sealed({ ...transaction, remaining })
  makeRoom(ctx, `${ctx.cookies.logout.name}.`, set)
  ctx.jar.set(set)
}

/** Redeems a transaction, once; `null` if the browser has none with this state. */
export async function redeemLogoutTransaction(
  ctx: Context,
  state: string,
): Promise<LogoutTransaction | null> {
  const { hash, cookie } = await locate(ctx, state)
  const value = ctx.jar.get(cookie.name)
  if (value === undefined) return null
  ctx.jar.delete(cookie)
  const claims = await open(value, { secrets: ctx.config.secrets, ...KEY })
  const returnTo = claims?.['returnTo']
  if (claims?.['state'] !== state || !isText(returnTo) || findUsed(hash)) return null
  markUsed(hash, returnTo)
  return { state, returnTo, remaining: readHintList(claims['remaining']) }
}
