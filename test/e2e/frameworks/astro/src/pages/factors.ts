import type { APIRoute } from 'astro'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../auth'

export const GET: APIRoute = async (context) => Response.json(await lib.factors.list(context))

export const POST: APIRoute = async (context) => {
  const { searchParams: query } = context.url
  const id = query.get('id') ?? ''
  const calls: Record<string, () => Promise<unknown>> = {
    enroll: () => lib.factors.enroll(context, { name: 'Phone' }),
    confirm: () => lib.factors.confirm(context, { id, code: query.get('code') ?? '' }),
    remove: () => lib.factors.remove(context, id),
    renew: () => lib.factors.renewRecoveryCodes(context),
  }
  try {
    return Response.json(await calls[query.get('call') ?? '']?.())
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return Response.json({ error: type }, { status, headers })
  }
}
