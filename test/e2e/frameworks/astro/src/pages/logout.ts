import type { APIRoute } from 'astro'
import { signOut } from '../auth'

export const ALL: APIRoute = async (context) =>
  signOut(context, { federated: context.url.searchParams.has('federated') })
