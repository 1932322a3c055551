import type { BoundProvider, Context, Reply } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'

/** The URLs of a provider's routes. */
export function routesOf(
  { origin, config }: Context,
  id: string,
): Pick<PublicProvider, 'signinUrl' | 'callbackUrl'> {
  const base = origin + config.basePath
  return { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
}

/** Every provider of the configuration, in its order. */
export function providersOf({ config }: Context): BoundProvider[] {
  return config.providers.ids.flatMap((id) => config.providers.get(id) ?? [])
}

/** `GET providers`: the ways to sign in, by id. */
export async function getProviders(ctx: Context): Promise<Reply> {
  const entries = providersOf(ctx).map(({ id, name, type }): [string, PublicProvider] => [
    id,
    { id, name, type, ...routesOf(ctx, id) },
  ])
  return { status: 200, body: Object.fromEntries(entries) }
}
