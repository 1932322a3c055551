import type { APIRoute } from 'astro'
import { lib } from '../auth'

export const POST: APIRoute = async (context) =>
  lib.requestScopes(context, 'op', ['calendar'], { redirectTo: '/page' })
