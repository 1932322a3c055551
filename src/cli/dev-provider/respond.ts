/** The endpoints of the provider: those of `lib-auth/testing`, and the pages of the authorization endpoint. */
import type { Issuer } from '../../testing/types.ts'
import { consentPage, rejectionPage, signInPage } from './pages.ts'
import { errorUrl, readRequest, RejectedRequest, requestError } from './request.ts'
import { selectClaims, USERS } from './users.ts'

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

/** The authorization request and the answers of the visitor. A form contains the request and the earlier answers. */
async function readVisit(request: Request) {
  if (request.method !== 'POST')
    return { query: new URL(request.url).searchParams, answers: new URLSearchParams() }
  const answers = new URLSearchParams(await request.text())
  return { query: new URLSearchParams(answers.get('query') ?? ''), answers }
}

async function authorize(request: Request, issuer: Issuer): Promise<Response> {
  const { query, answers } = await readVisit(request)
  const authorization = readRequest(query)
  const error = requestError(authorization)
  if (error !== null) return redirect(errorUrl(authorization, error, issuer.url))
  const decision = answers.get('decision')
  if (decision === 'deny') return redirect(errorUrl(authorization, 'access_denied', issuer.url))
  const user = USERS.find(({ sub }) => sub === answers.get('user'))
  if (!user) return signInPage(authorization)
  if (decision !== 'allow') return consentPage(authorization, user)
  const target = new URL(`/authorize?${query}`, issuer.url)
  const { url } = await issuer.authorize(target, selectClaims(user, authorization.scopes))
  return redirect(url)
}

/** Another site must not use the provider through the browser: by its name for this machine, or by a form. */
function isForeign({ method, headers }: Request, issuer: Issuer): boolean {
  const { port } = new URL(issuer.url)
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`)
  if (!hosts.includes(headers.get('host') ?? '')) return true
  if (method !== 'POST') return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin'
  const origin = headers.get('origin')
  return origin !== null && !hosts.some((host) => origin === `http://${host}`)
}

export async function respond(request: Request, issuer: Issuer): Promise<Response> {
  if (isForeign(request, issuer)) return new Response('Forbidden\n', { status: 403 })
  if (new URL(request.url).pathname !== '/authorize') return issuer.fetch(request)
  try {
    return await authorize(request, issuer)
  } catch (error) {
    if (error instanceof RejectedRequest) return rejectionPage(error.message)
    throw error
  }
}
