import { createFileRoute } from '@tanstack/react-router'
import { answerFailure } from '../answer-failure'
import { signIn } from '../auth'

export const Route = createFileRoute('/login')({
  server: {
    handlers: {
      POST: ({ request }) =>
        answerFailure(async () => {
          const form = await request.formData()
          form.set('redirectTo', '/page')
          return Response.json(await signIn('credentials', form))
        }),
    },
  },
})
