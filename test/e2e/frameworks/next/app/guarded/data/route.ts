import { allow, auth } from '../../../auth'

export const GET = auth((request) => {
  if (!request.auth) return Response.json({ error: 'SessionRequired' }, { status: 401 })
  if (!allow(request.auth)) return new Response(null, { status: 403 })
  return Response.json({ data: 1 })
})
