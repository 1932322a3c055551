/** Back-channel logout (OpenID Connect Back-Channel Logout 1.0): the provider tells that a user has signed out there. */
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import type { LogoutNotice } from '../logout/logout-hint.ts'
import { sha256 } from '../crypto/digest.ts'
import { InvalidLogoutToken, InvalidProvider, TooManyAttempts } from '../errors/classes.ts'
import { processLimits } from '../limits/memory.ts'
import { findProviderSessions } from '../logout/provider-sessions.ts'
import type { Issued, ProviderSession } from '../logout/provider-sessions.ts'
import { endProviderSessions } from './end-provider-sessions.ts'

/** Invalid tokens of a provider in ten seconds: each costs the verification of a signature. */
const RATE = { burst: 100, per: 10 }
/** Milliseconds; longer than a token is valid. */
const REMEMBER = 15 * 60_000

/** The sessions that end; a session whose id at the provider is unknown counts as each of its user. */
async function selectSessions(
  ctx: Context,
  issued: Issued,
  { sub, sid, issuedAt }: LogoutNotice,
): Promise<readonly ProviderSession[]> {
  const bySub = sub === undefined ? [] : await findProviderSessions(ctx, issued, { sub })
  // A late token ends no session that began after it.
  const isOlder = ({ startedAt }: ProviderSession) => startedAt < (issuedAt + 1) * 1000
  if (sid === undefined) return bySub.filter(isOlder)
  const bySid = await findProviderSessions(ctx, issued, { opSid: sid })
  if (sub !== undefined && bySid.some((session) => session.sub !== sub))
    throw new InvalidLogoutToken('A logout token names a session of another user.')
  return [...bySid, ...bySub.filter((each) => each.opSid === undefined && isOlder(each))]
}

export async function receiveLogoutToken(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  const { records, logout } = ctx.config
  const id = provider?.id ?? ''
  if (!provider?.logout || !records || !logout?.backChannel.includes(id))
    throw new InvalidProvider(
      'The backchannel-logout route requires the id of a provider in logout.backChannel.',
    )
  // Before any cryptography. By the provider, because a flood comes from many addresses.
  const rate = { ...RATE, key: `limit:logout:${provider.tokens?.issuedBy ?? id}` }
  const [decision] = processLimits.take([rate], Date.now())
  if (decision && !decision.allowed)
    throw new TooManyAttempts(`Provider ${id} has sent too many invalid logout tokens.`, {
      retryAfter: decision.retryAfter,
    })
  const { form, body } = ctx.request
  const token = body['logout_token']
  if (form === undefined || typeof token !== 'string')
    throw new InvalidLogoutToken(
      'A request to backchannel-logout is not a form with one logout_token.',
      { provider: id },
    )
  const notice = await provider.logout.verify(ctx, token)
  const { clientId } = provider.logout
  const { issuer } = notice
  const key = `jti:${await sha256(JSON.stringify([issuer, clientId, notice.jti]), 'base64url')}`
  if ((await records.read(ctx, [key])).size > 0)
    throw new InvalidLogoutToken(`A logout token of provider ${id} was used before.`, {
      provider: id,
    })
  const issued = { issuer, clientId }
  const sessions = await selectSessions(ctx, issued, notice)
  await endProviderSessions(ctx, issued, sessions)
  // Last: after a failure, the provider can send the token again.
  await records.write(ctx, {
    key,
    value: '',
    owner: null,
    expires: new Date(Date.now() + REMEMBER),
  })
  processLimits.giveBack([rate], Date.now())
  ctx.config.log.debug?.('logout token accepted', { provider: id, sessions: sessions.length })
  return { status: 200 }
}
