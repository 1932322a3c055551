import type { Route } from './+types/login'
import { answerFailure } from '../answer-failure.server'
import { signIn } from '../auth.server'

export const action = (args: Route.ActionArgs) =>
  answerFailure(async () => {
    const form = await args.request.formData()
    form.set('redirectTo', '/page')
    return signIn(args, 'credentials', form)
  })
