import { createFileRoute } from '@tanstack/react-router'
import { answerFailure } from '../answer-failure'
import { update } from '../auth'

export const Route = createFileRoute('/update')({
  server: {
    handlers: {
      POST: () => answerFailure(async () => Response.json(await update({ user: { name: 'x' } }))),
    },
  },
})
