import { json } from '@sveltejs/kit'
import type { RequestHandler } from '@sveltejs/kit'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../../auth.server.ts'

export const GET: RequestHandler = async (event) => json(await lib.factors.list(event))

export const POST: RequestHandler = async (event) => {
  const { searchParams: query } = event.url
  const id = query.get('id') ?? ''
  const calls: Record<string, () => Promise<unknown>> = {
    enroll: () => lib.factors.enroll(event, { name: 'Phone' }),
    confirm: () => lib.factors.confirm(event, { id, code: query.get('code') ?? '' }),
    remove: () => lib.factors.remove(event, id),
    renew: () => lib.factors.renewRecoveryCodes(event),
  }
  try {
    return json(await calls[query.get('call') ?? '']?.())
  } catch (error) {
    // The tests pass providers of another copy of the library, which throws its own classes.
    if (!(error instanceof Error && 'type' in error)) throw error
    const { status, headers, type } = error as AuthError
    return json({ error: type }, { status, headers })
  }
}
