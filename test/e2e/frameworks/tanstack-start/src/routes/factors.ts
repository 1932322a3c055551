import { createFileRoute } from '@tanstack/react-router'
import type { AuthError } from 'lib-auth/errors'
import { lib } from '../auth'

export const Route = createFileRoute('/factors')({
  server: {
    handlers: {
      GET: async () => Response.json(await lib.factors.list()),
      POST: async ({ request }) => {
        const { searchParams: query } = new URL(request.url)
        const id = query.get('id') ?? ''
        const calls: Record<string, () => Promise<unknown>> = {
          enroll: () => lib.factors.enroll({ name: 'Phone' }),
          confirm: () => lib.factors.confirm({ id, code: query.get('code') ?? '' }),
          remove: () => lib.factors.remove(id),
          renew: () => lib.factors.renewRecoveryCodes(),
        }
        try {
          return Response.json(await calls[query.get('call') ?? '']?.())
        } catch (error) {
          // The tests pass providers of another copy of the library, which throws its own classes.
          if (!(error instanceof Error && 'type' in error)) throw error
          const { status, headers, type } = error as AuthError
          return Response.json({ error: type }, { status, headers })
        }
      },
    },
  },
})
