import { text } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import { lib } from '../../auth.server.ts'

export const POST: RequestHandler = async (event) => {
  const redirect = !event.url.searchParams.has('stay')
  return text(await lib.requestScopes(event, 'op', ['calendar'], { redirectTo: '/page', redirect }))
}
