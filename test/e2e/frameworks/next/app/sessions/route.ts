import { sessions } from '../../auth'

export async function GET(): Promise<Response> {
  return Response.json(await sessions.list())
}

export async function POST(request: Request): Promise<Response> {
  const sid = new URL(request.url).searchParams.get('sid')
  return Response.json(sid === null ? await sessions.revokeOthers() : await sessions.revoke(sid))
}
