import type { BoundProvider, Context, Reply } from '../contracts.ts'
import type { PublicProvider } from '../types.ts'

export function routesOf(
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
    { id, name, type, ...routesOf(ctx, id) },
  ])
  return { status: 200, body: Object.fromEntries(entries) }
}
