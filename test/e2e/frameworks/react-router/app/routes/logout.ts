import type { Route } from './+types/logout'
import { answerFailure } from '../answer-failure.server'
import { signOut } from '../auth.server'

export const action = (args: Route.ActionArgs) => {
  const federated = new URL(args.request.url).searchParams.has('federated')
  return answerFailure(() => signOut(args, { federated }))
}
