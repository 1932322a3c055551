/** Routes that respond with JSON. */
import { chain } from '../awaitable.ts'
import { issueCsrfToken } from '../checks/csrf.ts'
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import type { Awaitable, PublicProvider } from '../types.ts'

export function providerRoutes(
  { origin, config }: Context,
  id: string,
): Pick<PublicProvider, 'signinUrl' | 'callbackUrl'> {
  const base = origin + config.basePath
  return { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
}

export function providersOf({ config }: Context): BoundProvider[] {
  return config.providers.ids.flatMap((id) => config.providers.get(id) ?? [])
}

export async function getProviders(ctx: Context): Promise<Reply> {
  const entries = providersOf(ctx).map(({ id, name, type }): [string, PublicProvider] => [
    id,
    { id, name, type, ...providerRoutes(ctx, id) },
  ])
  return { status: 200, body: Object.fromEntries(entries) }
}

export async function getCsrfToken(ctx: Context): Promise<Reply> {
  const csrfToken = await issueCsrfToken(ctx)
  if (csrfToken !== null) return { status: 200, body: { csrfToken } }
  ctx.config.log.warn('csrf-disabled')
  return { status: 404 }
}

export function getSession(ctx: Context): Awaitable<Reply> {
  // A callback may rotate a refresh token, and the response to a HEAD request would lose the new one.
  const session = ctx.request.isHead ? null : ctx.config.session.read(ctx)
  return chain(session, (body) => ({ status: 200, body }))
}

/** `POST session`: updates the session with `data` from the browser. */
export async function updateSession(ctx: Context): Promise<Reply> {
  return { status: 200, body: await ctx.config.session.update(ctx, ctx.request.body['data']) }
}
