import type { WebAuthnUserInfo } from '../../config/webauthn.ts'
import type { Context } from '../../contracts.ts'
import { CallbackRouteError, InvalidRequest } from '../../errors/classes.ts'
import { isRecord } from '../../is-record.ts'
import { noteIdentifier } from '../../log/identifier.ts'
import { parseAddress } from '../../identity/mail-address.ts'
import { callProvider } from './provider.ts'
import type { PasskeyProvider } from './provider.ts'

/** What was typed into the form, by the names of its fields. */
export type FormFields = Readonly<Record<string, string>>

/** Characters: as long as an address can be. */
const MAX_LENGTH = 254

/** The fields of the form in the query; addresses are normalized. @throws InvalidRequest */
export function readFields(ctx: Context, { config }: PasskeyProvider): FormFields {
  const { searchParams } = ctx.request.url
  const fields: Record<string, string> = {}
  for (const name of Object.keys(config.formFields ?? {})) {
    const [sent, ...others] = searchParams.getAll(name)
    if (others.length > 0)
      throw new InvalidRequest(`The parameter "${name}" occurs more than once.`)
    if (!sent) continue
    ctx.secrets.add(sent)
    const value = name === 'email' ? parseAddress(sent) : sent
    if (value === null)
      throw new InvalidRequest(`The parameter "${name}" does not have the form name@example.com.`)
    if (value.length > MAX_LENGTH)
      throw new InvalidRequest(`The parameter "${name}" exceeds ${MAX_LENGTH} characters.`)
    fields[name] = value
  }
  const name = fields['email'] ?? Object.values(fields)[0]
  if (name !== undefined) noteIdentifier(ctx, name)
  return fields
}

function isUserInfo(info: unknown): info is WebAuthnUserInfo {
  if (!isRecord(info) || !isRecord(info['user'])) return false
  const { user, exists } = info
  return exists === false || (exists === true && typeof user['id'] === 'string')
}

async function askApplication(
  ctx: Context,
  provider: PasskeyProvider,
  fields: FormFields,
): Promise<WebAuthnUserInfo | null> {
  const { headers } = ctx.request
  const url = `${ctx.origin}${ctx.config.basePath}/webauthn-options/${provider.id}`
  const request = new Request(`${url}?${new URLSearchParams(fields)}`, { headers })
  const info: unknown = await callProvider(ctx, provider, 'getUserInfo', request)
  if (info === null || isUserInfo(info)) return info
  throw new CallbackRouteError(
    `getUserInfo of provider ${provider.id} returned no { user, exists } and not null. A user that exists needs an id.`,
  )
}

/** The user whom the fields name; `null` if they name none. A user to create is not looked up: that happens at the end. */
export async function findUser(
  ctx: Context,
  provider: PasskeyProvider,
  fields: FormFields,
  isLookedUp = true,
): Promise<WebAuthnUserInfo | null> {
  if (provider.config.getUserInfo) return askApplication(ctx, provider, fields)
  const { email } = fields
  if (email === undefined) return null
  const user = isLookedUp && (await provider.database.call(ctx, 'getUserByEmail', email))
  return user ? { user, exists: true } : { user: { email }, exists: false }
}
