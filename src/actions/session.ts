import type { Context, Reply } from '../contracts.ts'

/** `GET session`: who is signed in, or `null`. */
export async function getSession(ctx: Context): Promise<Reply> {
  // A callback may rotate a token at a provider, and what a HEAD request finds out is kept nowhere.
  if (ctx.request.isHead) return { status: 200, body: null }
  return { status: 200, body: await ctx.config.session.read(ctx) }
}

/** `POST session`: lets the application change the session with what the browser sends as `data`. */
export async function updateSession(ctx: Context): Promise<Reply> {
  return { status: 200, body: await ctx.config.session.update(ctx, ctx.request.body['data']) }
}
