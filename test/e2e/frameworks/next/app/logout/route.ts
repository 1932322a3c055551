import { signOut } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(): Promise<Response> {
  return answerFailure(() => signOut())
}
