import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

const SHARED = new Response(null, { status: 204 })

export const Route = createFileRoute('/shared')({
  server: {
    handlers: {
      async GET() {
        await auth()
        return SHARED
      },
    },
  },
})
