import type { AuthError } from 'lib-auth/errors'
import { factors } from '../../auth'

export async function GET(): Promise<Response> {
  return Response.json(await factors.list())
}

export async function POST(request: Request): Promise<Response> {
  const { searchParams: query } = new URL(request.url)
  const id = query.get('id') ?? ''
  const calls: Record<string, () => Promise<unknown>> = {
    enroll: () => factors.enroll({ name: 'Phone' }),
    confirm: () => factors.confirm({ id, code: query.get('code') ?? '' }),
    remove: () => factors.remove(id),
    renew: () => factors.renewRecoveryCodes(),
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
