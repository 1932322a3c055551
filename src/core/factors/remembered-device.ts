/** Browsers in which a user has chosen not to be asked for the second step again. */
import type { Context } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { StoredFactor } from '../database/adapter.ts'
import { findBrowser, knownSince, rememberBrowser } from '../limits/known-browser.ts'

/** The field of the form in which a user chooses not to be asked again. */
const REMEMBER_DEVICE = 'rememberDevice'

/** What this browser is known for if it is not to be asked again: for these factors. */
async function deviceText(userId: string, factors: readonly StoredFactor[]): Promise<string> {
  const apps = factors.filter(({ type, confirmed }) => type === 'totp' && confirmed)
  const ids = apps.map(({ id }) => id).sort()
  return JSON.stringify(['second step', userId, await sha256(JSON.stringify(ids), 'base64url')])
}

export async function isRemembered(
  ctx: Context,
  userId: string,
  factors: readonly StoredFactor[],
): Promise<boolean> {
  const seconds = ctx.config.secondStep?.rememberDevice
  if (seconds === undefined) return false
  const since = await knownSince(ctx, await deviceText(userId, factors))
  return since !== null && since + seconds * 1000 > Date.now()
}

/** For the user of the first step, and these factors. */
export async function rememberDevice(
  ctx: Context,
  userId: string,
  factors: readonly StoredFactor[],
): Promise<void> {
  const isChosen = ctx.request.body[REMEMBER_DEVICE] === 'true'
  if (!isChosen || ctx.config.secondStep?.rememberDevice === undefined) return
  const text = await deviceText(userId, factors)
  await rememberBrowser(ctx, { text, userId, ...(await findBrowser(ctx, [text])) })
}
