import { signOut } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(request: Request): Promise<Response> {
  const federated = new URL(request.url).searchParams.has('federated')
  return answerFailure(() => signOut({ federated }))
}
