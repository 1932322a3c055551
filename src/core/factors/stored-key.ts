/** Keys of authenticator apps, encrypted for one user and one row. */
import type { SessionContext } from '../contracts.ts'
import { fromBase64Url, toBase64Url } from '../crypto/digest.ts'
import { open, seal } from '../crypto/seal.ts'
import type { StoredFactor } from '../database/adapter.ts'

type Owned = Pick<StoredFactor, 'id' | 'userId'>

function sealing({ config }: Pick<SessionContext, 'config'>) {
  return { secrets: config.secrets, salt: 'lib.factor', family: 'internal' } as const
}

export async function sealKey(
  ctx: Pick<SessionContext, 'config'>,
  { id, userId }: Owned,
  key: Uint8Array,
): Promise<string> {
  return seal({ id, userId, key: toBase64Url(key) }, sealing(ctx))
}

/** `null` if none of the secrets has encrypted it, or it was copied from another row. */
export async function openKey(
  ctx: Pick<SessionContext, 'config'>,
  { id, userId, secret }: Owned & Pick<StoredFactor, 'secret'>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const claims = await open(secret, sealing(ctx))
  const isOwn = claims?.['id'] === id && claims['userId'] === userId
  return isOwn && typeof claims['key'] === 'string' ? fromBase64Url(claims['key']) : null
}
