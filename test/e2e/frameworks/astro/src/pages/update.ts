import type { APIRoute } from 'astro'
import { update } from '../auth'

export const ALL: APIRoute = async (context) =>
  Response.json(await update(context, { user: { name: 'x' } }))
