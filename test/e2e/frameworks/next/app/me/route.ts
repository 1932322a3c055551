import { auth } from '../../auth'

export const GET = auth(async (request) => {
  const again = await auth()
  return Response.json(again && request.auth)
})
