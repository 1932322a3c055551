import type { APIRoute } from 'astro'
import { lib } from '../auth'

export const GET: APIRoute = async (context) =>
  Response.json(await lib.getAccessToken(context, 'op').catch(({ type, code }) => ({ type, code })))
