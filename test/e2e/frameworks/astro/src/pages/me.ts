import type { APIRoute } from 'astro'

export const GET: APIRoute = async ({ locals }) => {
  const [session] = await Promise.all([locals.auth(), locals.auth()])
  return Response.json(session)
}
