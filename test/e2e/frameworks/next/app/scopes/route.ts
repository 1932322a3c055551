import { requestScopes } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(): Promise<Response> {
  return answerFailure(() => requestScopes('op', ['calendar'], { redirectTo: '/page' }))
}
