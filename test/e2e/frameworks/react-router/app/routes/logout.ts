import type { Route } from './+types/logout'
import { answerFailure } from '../answer-failure.server'
import { signOut } from '../auth.server'

export const action = (args: Route.ActionArgs) => answerFailure(() => signOut(args))
