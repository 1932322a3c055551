import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../auth'

export const Route = createFileRoute('/scopes')({
  server: {
    handlers: {
      POST: async () =>
        Response.json(await lib.requestScopes('op', ['calendar'], { redirectTo: '/page' })),
    },
  },
})
