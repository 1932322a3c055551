import type { Context, Reply } from '../contracts.ts'

export async function getSession(ctx: Context): Promise<Reply> {
  // A callback may rotate a refresh token, and the response to a HEAD request would lose the new one.
  if (ctx.request.isHead) return { status: 200, body: null }
  return { status: 200, body: await ctx.config.session.read(ctx) }
}

/** `POST session`: updates the session with `data` from the browser. */
export async function updateSession(ctx: Context): Promise<Reply> {
  return { status: 200, body: await ctx.config.session.update(ctx, ctx.request.body['data']) }
}
