import { getAccessToken } from '../../auth'

export async function GET(): Promise<Response> {
  return Response.json(await getAccessToken('op').catch(({ type, code }) => ({ type, code })))
}
