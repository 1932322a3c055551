import type { APIRoute } from 'astro'
import { protect, site } from '../../auth'

export const GET: APIRoute = async (context) => {
  await protect(context, site.rules ?? {})
  return Response.json({ data: 1 })
}
