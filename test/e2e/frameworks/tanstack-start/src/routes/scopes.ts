import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../auth'

export const Route = createFileRoute('/scopes')({
  server: {
    handlers: {
      POST: async ({ request }) => {
        const redirect = !new URL(request.url).searchParams.has('stay')
        return Response.json(
          await lib.requestScopes('op', ['calendar'], { redirectTo: '/page', redirect }),
        )
      },
    },
  },
})
