import { createFileRoute } from '@tanstack/react-router'
import { lib } from '../auth'

export const Route = createFileRoute('/token')({
  server: {
    handlers: {
      GET: async () =>
        Response.json(await lib.getAccessToken('op').catch(({ type, code }) => ({ type, code }))),
    },
  },
})
