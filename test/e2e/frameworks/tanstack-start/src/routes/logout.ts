import { createFileRoute } from '@tanstack/react-router'
import { answerFailure } from '../answer-failure'
import { signOut } from '../auth'

export const Route = createFileRoute('/logout')({
  server: {
    handlers: { POST: () => answerFailure(async () => Response.json(await signOut())) },
  },
})
