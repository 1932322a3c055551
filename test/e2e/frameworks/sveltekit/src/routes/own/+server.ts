import { text } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'

export const GET: RequestHandler = async ({ cookies, locals, setHeaders }) => {
  cookies.set('before', 'a b', { path: '/' })
  await locals.auth()
  cookies.set('after', '1', { path: '/' })
  setHeaders({ 'cache-control': 'public, max-age=60' })
  return text('own')
}
