/** Once three links of an address are open, only the newest one is valid. */
import type { VerificationToken } from '../../database/adapter.ts'
import { setBounded } from '../../async/cache.ts'
import type { Context } from '../../contracts.ts'
import { sha256 } from '../../crypto/digest.ts'
import { AdapterError } from '../../errors/classes.ts'
import { parseJsonObject } from '../../is-record.ts'
import type { RecordAccess } from '../../records/access.ts'
import { deleteRows } from './mail.ts'
import type { EmailProvider } from './link.ts'

/** The stored hash of a link, and its expiry in milliseconds since the epoch. */
type OpenLink = readonly [token: string, expires: number]

/** Links that can be open at the same time. */
const MAX_OPEN = 2
const MAX_ADDRESSES = 10_000
/** Concurrent requests for one address; further ones are not counted. */
const MAX_WRITES = 3

/** Open links by adapter and address, without a store: those of this process. */
const inProcess = new WeakMap<object, Map<string, readonly OpenLink[]>>()

interface Opened {
  readonly open: readonly OpenLink[]
  /** Links that are no longer valid. */
  readonly retired: readonly OpenLink[]
}

function addOpenLink(known: readonly OpenLink[], link: OpenLink): Opened {
  const valid = known.filter(([, expires]) => expires > Date.now())
  return valid.length < MAX_OPEN
    ? { open: [...valid, link], retired: [] }
    : { open: [link], retired: valid }
}

async function openInMemory(
  { database }: EmailProvider,
  address: string,
  link: OpenLink,
): Promise<Opened> {
  const adapter = (await database.adapterWith([])) ?? database
  const addresses = inProcess.get(adapter) ?? new Map<string, readonly OpenLink[]>()
  inProcess.set(adapter, addresses)
  const opened = addOpenLink(addresses.get(address) ?? [], link)
  addresses.delete(address)
  setBounded(addresses, [address, opened.open], MAX_ADDRESSES)
  return opened
}

function parseOpen(value: string): readonly OpenLink[] {
  const links = Object.entries(parseJsonObject(value) ?? {})
  return links.flatMap(([token, expires]) =>
    typeof expires === 'number' ? [[token, expires] as const] : [],
  )
}

async function openInStore(
  ctx: Context,
  records: RecordAccess,
  { identifier, token, expires }: VerificationToken,
): Promise<Opened> {
  const key = `links:${await sha256(JSON.stringify([identifier]), 'base64url')}`
  for (let at = 0; at < MAX_WRITES; at++) {
    const stored = (await records.read(ctx, [key])).get(key)
    const opened = addOpenLink(stored ? parseOpen(stored.value) : [], [token, expires.getTime()])
    const latest = Math.max(...opened.open.map(([, end]) => end))
    const value = JSON.stringify(Object.fromEntries(opened.open))
    const record = { key, value, owner: null, expires: new Date(latest) }
    if (await records.write(ctx, record, stored?.value ?? null)) return opened
  }
  return { open: [], retired: [] }
}

/** Deletes older links of the address if too many are open. An outage of the store leaves them valid. */
export async function retireOlderLinks(
  ctx: Context,
  provider: EmailProvider,
  link: VerificationToken,
): Promise<void> {
  const { records, log } = ctx.config
  try {
    const { retired } =
      records && (await records.adapter())
        ? await openInStore(ctx, records, link)
        : await openInMemory(provider, link.identifier, [link.token, link.expires.getTime()])
    const { identifier } = link
    await deleteRows(
      ctx,
      provider,
      retired.map(([token]) => ({ identifier, token })),
    )
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    log.error(error)
  }
}
