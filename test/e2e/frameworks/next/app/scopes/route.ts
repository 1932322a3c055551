import { requestScopes } from '../../auth'
import { answerFailure } from '../answer-failure'

export function POST(request: Request): Promise<Response> {
  const redirect = !new URL(request.url).searchParams.has('stay')
  return answerFailure(async () =>
    Response.json(await requestScopes('op', ['calendar'], { redirectTo: '/page', redirect })),
  )
}
