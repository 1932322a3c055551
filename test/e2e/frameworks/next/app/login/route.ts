import { signIn } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(request: Request): Promise<Response> {
  return answerFailure(async () => {
    const form = await request.formData()
    form.set('redirectTo', '/page')
    return signIn('credentials', form)
  })
}
