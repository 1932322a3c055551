/** Magic links. Only a hash of the token is stored: read access to the database is not enough to sign in. */
import type { VerificationToken } from '../../adapters/index.ts'
import { resume } from '../../checks/resume.ts'
import type { ResumeName } from '../../checks/resume.ts'
import { transactions } from '../../checks/transaction.ts'
import { used } from '../../checks/used.ts'
import type { Context } from '../../contracts.ts'
import { sha256 } from '../../crypto/digest.ts'
import { AdapterError } from '../../errors/session.ts'
import { Verification } from '../../errors/sign-in.ts'
import type { EmailProvider } from './provider.ts'

/** Milliseconds for which the same browser can reuse a link after the database response was lost. */
const RESUME_MAX_AGE: number = 10 * 60_000

export type LinkKey = Pick<VerificationToken, 'identifier' | 'token'>

export interface LinkParts {
  readonly address: string
  readonly token: string
}

function secretsFor(
  { config: { secrets } }: Context,
  { config }: EmailProvider,
): readonly string[] {
  return config.secret ? [config.secret] : secrets
}

async function hashesOf(ctx: Context, provider: EmailProvider, token: string): Promise<string[]> {
  return Promise.all(secretsFor(ctx, provider).map((secret) => sha256(token + secret, 'hex')))
}

/** Uses the keyed hash: an unkeyed hash of a short custom token could be brute-forced from the cookie. */
function keyOf({ id }: EmailProvider, hash: string) {
  return { provider: id, state: hash, from: 'same-site' } as const
}

export async function keyFor(
  ctx: Context,
  provider: EmailProvider,
  { address, token }: LinkParts,
): Promise<LinkKey> {
  const [secret = ''] = secretsFor(ctx, provider)
  return { identifier: address, token: await sha256(token + secret, 'hex') }
}

/** Sets a transaction cookie, so that this browser can use the link without confirmation. */
export async function rememberLink(
  ctx: Context,
  provider: EmailProvider,
  { identifier, token, expires, returnTo }: VerificationToken & { readonly returnTo: string },
): Promise<void> {
  const { from, ...key } = keyOf(provider, token)
  const maxAge = Math.ceil((expires.getTime() - Date.now()) / 1000)
  await transactions.create(ctx, { ...key, address: identifier, returnTo }, { from, maxAge })
}

export async function wasAskedForHere(
  ctx: Context,
  provider: EmailProvider,
  { address, token }: LinkParts,
): Promise<boolean> {
  for (const hash of await hashesOf(ctx, provider, token)) {
    const attempt = await transactions.find(ctx, keyOf(provider, hash))
    if (attempt?.address === address) return true
  }
  return false
}

export async function withdrawLink(
  ctx: Context,
  { database }: EmailProvider,
  key: LinkKey,
): Promise<void> {
  try {
    await database.call(ctx, 'useVerificationToken', key)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
  }
}

/** Names a link that was deleted without a sign-in and could not be stored again. */
function nameOf({ id }: EmailProvider, { identifier, token }: LinkKey): ResumeName {
  return ['link', id, identifier, token]
}

/** Expiry of a link named like this in the resume cookie; `null` if there is none, or it was used meanwhile. */
async function resumed(ctx: Context, provider: EmailProvider, key: LinkKey): Promise<Date | null> {
  const expires = await resume.find(ctx, nameOf(provider, key))
  return expires === null || used.recall(key.token) ? null : new Date(Number(expires))
}

/** If the response is lost, the row may be gone: the browser that requested the link gets a resume cookie. */
async function read(
  ctx: Context,
  provider: EmailProvider,
  key: LinkKey,
): Promise<VerificationToken | null> {
  try {
    return await provider.database.call(ctx, 'useVerificationToken', key)
  } catch (error) {
    const attempt = await transactions.find(ctx, keyOf(provider, key.token))
    if (attempt?.address === key.identifier && !used.recall(key.token))
      await resume.create(ctx, nameOf(provider, key), String(Date.now() + RESUME_MAX_AGE))
    throw error
  }
}

async function find(
  ctx: Context,
  provider: EmailProvider,
  { address, token }: LinkParts,
): Promise<VerificationToken | null> {
  for (const hash of await hashesOf(ctx, provider, token)) {
    const key = { identifier: address, token: hash }
    const expires = await resumed(ctx, provider, key)
    const row = await read(ctx, provider, key)
    if (expires) return { ...key, expires }
    if (row) return row
  }
  return null
}

/** Stores a link again. If that fails, sets a resume cookie for the same browser. */
async function storeAgain(
  ctx: Context,
  provider: EmailProvider,
  row: VerificationToken,
): Promise<void> {
  try {
    await provider.database.call(ctx, 'createVerificationToken', row)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
    await resume.create(ctx, nameOf(provider, row), String(row.expires.getTime()))
  }
}

export interface UsedLink {
  /** Makes the link valid again if the sign-in fails. */
  readonly restore: () => Promise<void>
}

/** Redeems a link: one of several concurrent requests succeeds. Throws Verification if it is unknown or expired. */
export async function spendLink(
  ctx: Context,
  provider: EmailProvider,
  link: LinkParts & { readonly returnTo: string },
): Promise<UsedLink> {
  const row = await find(ctx, provider, link)
  if (!row) throw new Verification('The magic link is unknown or was already used.')
  const expires = new Date(row.expires)
  if (!(expires.getTime() > Date.now())) throw new Verification('The magic link has expired.')
  const { identifier, token } = row
  const key = keyOf(provider, token)
  const isAskedForHere = (await transactions.find(ctx, key)) !== null
  await transactions.forget(ctx, key)
  resume.forget(ctx)
  const { returnTo } = link
  used.remember(token, returnTo)
  return {
    async restore() {
      used.forget(token)
      const restored = { identifier, token, expires }
      await storeAgain(ctx, provider, restored)
      if (isAskedForHere) await rememberLink(ctx, provider, { ...restored, returnTo })
    },
  }
}
