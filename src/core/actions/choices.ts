/** The providers as the built-in pages offer them. */
import { isIcon } from '../config/button.ts'
import type { ProviderIcon } from '../config/button.ts'
import { mismatch } from '../config/describe-value.ts'
import type { BoundProvider, Context } from '../contracts.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { callHook } from '../hooks.ts'
import type { Awaitable, PublicProvider } from '../types.ts'

type Routes = Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>

export interface Choice {
  readonly provider: BoundProvider
  readonly routes: Routes
}

export function findProviders({ origin, config }: Context): Choice[] {
  const base = origin + config.basePath
  return config.providers.ids.flatMap((id) => {
    const routes = { signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
    const provider = config.providers.get(id)
    return provider ? { provider, routes } : []
  })
}

/** Reads what a page can do without: `null` and an error in the log if that fails. */
export async function readOptional<T>(
  ctx: Context,
  read: () => Awaitable<T | null>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    ctx.config.log.error(error instanceof Error ? error : new Error(String(error)))
    return null
  }
}

/** The icon of a button, unless a logo replaces it. */
async function loadIcon(ctx: Context, { id, offer }: BoundProvider): Promise<ProviderIcon | null> {
  const run = offer.kind === 'button' && !offer.logo ? offer.icon : undefined
  if (!run) return null
  const what = `style.icon of provider ${id}`
  return readOptional(ctx, async () => {
    const icon: unknown = await callHook<unknown>(ctx, { what, run })
    if (isIcon(icon)) return icon
    throw new InvalidConfiguration(
      `${mismatch(what, 'an icon', icon)} Return paths, and colours for light and dark if it has a button.`,
    )
  })
}

export function loadChoices(ctx: Context): Promise<(Choice & { icon: ProviderIcon | null })[]> {
  const choices = findProviders(ctx).map(async ({ provider, routes }) => ({
    provider,
    routes,
    icon: await loadIcon(ctx, provider),
  }))
  return Promise.all(choices)
}
