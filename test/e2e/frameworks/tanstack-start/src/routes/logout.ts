import { createFileRoute } from '@tanstack/react-router'
import { answerFailure } from '../answer-failure'
import { signOut } from '../auth'

export const Route = createFileRoute('/logout')({
  server: {
    handlers: {
      POST: ({ request }) => {
        const federated = new URL(request.url).searchParams.has('federated')
        return answerFailure(async () => Response.json(await signOut({ federated })))
      },
    },
  },
})
