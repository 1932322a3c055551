import type { AuthError } from 'lib-auth/errors'
import type { Route } from './+types/factors'
import { lib } from '../auth.server'

export const loader = async (args: Route.LoaderArgs) => Response.json(await lib.factors.list(args))

export const action = async (args: Route.ActionArgs) => {
  const { searchParams: query } = new URL(args.request.url)
  const id = query.get('id') ?? ''
  const calls: Record<string, () => Promise<unknown>> = {
    enroll: () => lib.factors.enroll(args, { name: 'Phone' }),
    confirm: () => lib.factors.confirm(args, { id, code: query.get('code') ?? '' }),
    remove: () => lib.factors.remove(args, id),
    renew: () => lib.factors.renewRecoveryCodes(args),
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
