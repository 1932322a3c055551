import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../auth'
import { respondLate } from '../respond-late'

export const Route = createFileRoute('/token')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const read = () => lib.getAccessToken('op').catch(({ type, code }) => ({ type, code }))
        return new URL(request.url).searchParams.has('late')
          ? respondLate(read)
          : Response.json(await read())
      },
    },
  },
})
