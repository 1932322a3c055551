import { update } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(): Promise<Response> {
  return answerFailure(async () => Response.json(await update({ user: { name: 'x' } })))
}
