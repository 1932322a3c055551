import type { Route } from './+types/update'
import { answerFailure } from '../answer-failure.server'
import { update } from '../auth.server'

export const action = (args: Route.ActionArgs) =>
  answerFailure(async () => Response.json(await update(args, { user: { name: 'x' } })))
