import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/own')({
  server: {
    handlers: {
      async GET() {
        const headers = new Headers({ 'cache-control': 'public, max-age=60' })
        headers.append('set-cookie', 'before=a%20b; Path=/')
        await auth()
        headers.append('set-cookie', 'after=1')
        return new Response('own', { headers })
      },
    },
  },
})
