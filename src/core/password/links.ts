/** Links in mails about passwords: records that are used once, whose tokens are stored as hashes. */
import type { SessionContext } from '../contracts.ts'
import { open, seal } from '../crypto/seal.ts'
import { randomBase64Url, sha256 } from '../crypto/digest.ts'
import { AdapterError, InvalidConfiguration, Verification } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'
import type { RecordAccess } from '../records/access.ts'

type Kind = 'reset' | 'sign-up'

export interface PasswordLink {
  readonly token: string
  readonly expires: Date
}

/** Why a link cannot be used is not shown: who has requested it may be another person. */
function invalidLink(reason: string): Verification {
  return new Verification(`The link in a mail about a password ${reason}.`)
}

async function store({ config }: SessionContext): Promise<RecordAccess> {
  const { records } = config
  if (records && (await records.adapter())) return records
  throw new InvalidConfiguration(
    'Sign-up and reset of passwords need a store for records. Set store, or use an adapter that stores them, such as KyselyAdapter(db, { with: ["records", "passwords"] }).',
  )
}

async function keyOf(kind: Kind, token: string): Promise<string> {
  return `${kind}:${await sha256(token, 'base64url')}`
}

function sealing({ config }: SessionContext, kind: Kind) {
  return { secrets: config.secrets, salt: `lib.password.${kind}`, family: 'internal' } as const
}

/** @param maxAge - in seconds */
export async function createLink(
  ctx: SessionContext,
  kind: Kind,
  { maxAge, ...claims }: Readonly<Record<string, unknown>> & { readonly maxAge: number },
): Promise<PasswordLink> {
  const records = await store(ctx)
  const token = randomBase64Url()
  const expires = new Date(Date.now() + maxAge * 1000)
  // With the origin: another tenant may have the same secret and store, and other users.
  const value = await seal({ ...claims, origin: ctx.origin }, { ...sealing(ctx, kind), maxAge })
  await records.write(ctx, { key: await keyOf(kind, token), value, owner: null, expires })
  return { token, expires }
}

/** After a mail was not sent. An outage leaves it valid until it expires. */
export async function deleteLink(ctx: SessionContext, kind: Kind, token: string): Promise<void> {
  try {
    await (await store(ctx)).delete(ctx, { keys: [await keyOf(kind, token)] })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    ctx.config.log.error(error)
  }
}

/** A link that has not been used. */
export interface OpenedLink {
  readonly claims: Readonly<Record<string, unknown>>
  /** Uses it up: of concurrent requests, one succeeds. @throws Verification */
  redeem(): Promise<void>
  /** Makes it valid again, because what it is for failed. */
  restore(): Promise<void>
}

/** @throws Verification */
export async function openLink(
  ctx: SessionContext,
  kind: Kind,
  token: unknown,
): Promise<OpenedLink> {
  if (typeof token !== 'string' || !/^[\w-]{43}$/.test(token)) throw invalidLink('has no token')
  const records = await store(ctx)
  const key = await keyOf(kind, token)
  const record = (await records.read(ctx, [key])).get(key)
  const claims = record && (await open(record.value, sealing(ctx, kind)))
  if (!record || !isRecord(claims) || claims['origin'] !== ctx.origin)
    throw invalidLink('is unknown or of another site, has expired, or was used already')
  // Of this request: another one that has used the link is not undone.
  const used = { ...record, value: randomBase64Url() }
  const restore = async () => {
    try {
      await records.write(ctx, record, used.value)
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      ctx.config.log.error(error)
    }
  }
  return {
    claims,
    async redeem() {
      let isFirst: boolean
      try {
        isFirst = await records.write(ctx, used, record.value)
      } catch (error) {
        // The response of the store may be lost.
        await restore()
        throw error
      }
      if (!isFirst) throw invalidLink('was used already')
    },
    restore,
  }
}

export function linkUrl({ origin, config }: SessionContext, page: string, token: string): string {
  return `${origin}${config.basePath}/password/${page}?token=${token}`
}
