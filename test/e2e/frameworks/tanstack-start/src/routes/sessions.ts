import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../auth'

export const Route = createFileRoute('/sessions')({
  server: {
    handlers: {
      GET: async () => Response.json(await lib.sessions.list()),
      POST: async ({ request }) => {
        const sid = new URL(request.url).searchParams.get('sid')
        const { revoke, revokeOthers } = lib.sessions
        return Response.json(sid === null ? await revokeOthers() : await revoke(sid))
      },
    },
  },
})
