import type { APIRoute } from 'astro'
import { lib } from '../auth'

export const POST: APIRoute = async (context) => {
  const redirect = !context.url.searchParams.has('stay')
  return lib.requestScopes(context, 'op', ['calendar'], { redirectTo: '/page', redirect })
}
