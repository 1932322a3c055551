import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/me')({
  server: {
    handlers: {
      async GET() {
        const [session] = await Promise.all([auth(), auth()])
        return Response.json(session)
      },
    },
  },
})
