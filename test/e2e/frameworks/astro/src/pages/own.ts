import type { APIRoute } from 'astro'

export const GET: APIRoute = async ({ cookies, locals }) => {
  cookies.set('before', 'a b', { path: '/' })
  await locals.auth()
  const headers = { 'set-cookie': 'after=1', 'cache-control': 'public, max-age=60' }
  return new Response('own', { headers })
}
