/** Front-channel logout (OpenID Connect Front-Channel Logout 1.0): a frame in the sign-out page of the provider. */
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import { InvalidProvider } from '../errors/classes.ts'
import { findProviderSessions } from '../logout/provider-sessions.ts'
import { endProviderSessions } from './end-provider-sessions.ts'

/** Ends the session with this id at the provider; browsers send no cookies of this site. */
export async function receiveFrame(ctx: Context, provider?: BoundProvider): Promise<Reply> {
  const { logout } = ctx.config
  if (!provider?.logout || !logout?.frontChannel.includes(provider.id))
    throw new InvalidProvider(
      'The frontchannel-logout route requires the id of a provider in logout.frontChannel.',
    )
  const { searchParams } = ctx.request.url
  const issuer = searchParams.get('iss')
  const opSid = searchParams.get('sid')
  if (!ctx.request.isHead && issuer && opSid) {
    // Only of an issuer that an ID token was verified for are there records.
    const issued = { issuer, clientId: provider.logout.clientId }
    await endProviderSessions(ctx, issued, await findProviderSessions(ctx, issued, { opSid }))
  }
  // The same response whether or not there was a session.
  const framing = await provider.logout.framingOrigins(ctx)
  const ancestors = framing.join(' ') || "'none'"
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`
  return {
    status: 200,
    html: { text: '<!doctype html><title>Signed out</title>', policy, isFramed: true },
  }
}
