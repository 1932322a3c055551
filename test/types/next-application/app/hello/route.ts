import { auth } from '../../auth'

export const GET = auth((request) => Response.json(request.auth))
export const POST = auth(() => {})
export async function PUT(): Promise<Response> {
  return Response.json(await auth())
}
