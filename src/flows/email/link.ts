/** What a link stands for. The database has a hash of it, so that who reads the database cannot sign in. */
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

/** Milliseconds in which a link whose answer got lost can be used again. */
const RESUME_MAX_AGE: number = 10 * 60_000

/** How the database finds a link. */
export type LinkKey = Pick<VerificationToken, 'identifier' | 'token'>

/** The two parts of a link that say whose it is. */
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

/**
 * Names the link in the browser that asked for it. By the hash, which is made with a secret: a short token could
 * be guessed from anything else that the browser is told of it.
 */
function keyOf({ id }: EmailProvider, hash: string) {
  return { provider: id, state: hash, from: 'same-site' } as const
}

/** How the database will find a new link: by a hash that is made with the newest secret. */
export async function keyFor(
  ctx: Context,
  provider: EmailProvider,
  { address, token }: LinkParts,
): Promise<LinkKey> {
  const [secret = ''] = secretsFor(ctx, provider)
  return { identifier: address, token: await sha256(token + secret, 'hex') }
}

/** Remembers in this browser that the link was asked for here. */
export async function rememberLink(
  ctx: Context,
  provider: EmailProvider,
  { identifier, token, expires, returnTo }: VerificationToken & { readonly returnTo: string },
): Promise<void> {
  const { from, ...key } = keyOf(provider, token)
  const maxAge = Math.ceil((expires.getTime() - Date.now()) / 1000)
  await transactions.create(ctx, { ...key, address: identifier, returnTo }, { from, maxAge })
}

/** Whether it was this browser that asked for the link. */
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

/** Takes a link back that nobody got. */
export async function withdrawLink(
  ctx: Context,
  { database }: EmailProvider,
  key: LinkKey,
): Promise<void> {
  try {
    await database.useToken(ctx, key)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
  }
}

/** Names a link that was used for nothing and could not be stored again. */
function nameOf({ id }: EmailProvider, { identifier, token }: LinkKey): ResumeName {
  return ['link', id, identifier, token]
}

/** When a link that was used for nothing in this browser expires; `null`: none was. */
async function resumed(ctx: Context, provider: EmailProvider, key: LinkKey): Promise<Date | null> {
  const expires = await resume.find(ctx, nameOf(provider, key))
  return expires === null || used.recall(key.token) ? null : new Date(Number(expires))
}

/**
 * Reads a link and deletes it. When the answer gets lost, the browser that asked can go on: it knows the link, so
 * whoever sits there has read the mail.
 */
async function read(
  ctx: Context,
  provider: EmailProvider,
  key: LinkKey,
): Promise<VerificationToken | null> {
  try {
    return await provider.database.useToken(ctx, key)
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

/** Stores a link again; where that fails, the same browser can use it once more. */
async function storeAgain(
  ctx: Context,
  provider: EmailProvider,
  row: VerificationToken,
): Promise<void> {
  try {
    await provider.database.createToken(ctx, row)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
    await resume.create(ctx, nameOf(provider, row), String(row.expires.getTime()))
  }
}

/** A link that has been used. */
export interface UsedLink {
  /** Makes it good once more. */
  readonly restore: () => Promise<void>
}

/**
 * Uses a link: of many uses at the same time one succeeds.
 *
 * @throws Verification when it is unknown, used or expired
 */
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
