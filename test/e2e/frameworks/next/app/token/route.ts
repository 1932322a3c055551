import { getAccessToken } from '../../auth'
import { respondLate } from '../../respond-late'

export async function GET(request: Request): Promise<Response> {
  const read = () => getAccessToken('op').catch(({ type, code }) => ({ type, code }))
  return new URL(request.url).searchParams.has('late')
    ? respondLate(read)
    : Response.json(await read())
}
