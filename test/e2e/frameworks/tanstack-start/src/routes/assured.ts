import { createFileRoute } from '@tanstack/react-router'
import { SessionRequired, StepUpRequired } from 'lib-auth/errors'
import { lib } from '../auth'

export const Route = createFileRoute('/assured')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        try {
          return Response.json(await lib.requireAuth({ maxAge: 900 }))
        } catch (error) {
          const isKnown = error instanceof StepUpRequired || error instanceof SessionRequired
          if (!isKnown || new URL(request.url).searchParams.has('thrown')) throw error
          const { status, headers, type, url } = error
          return Response.json({ error: type, url }, { status, headers })
        }
      },
    },
  },
})
