import { auth } from '../../../auth'

/** What Next says of this route. */
export const GET = auth(async (request, context: RouteContext<'/users/[id]'>) => {
  const { id } = await context.params
  return Response.json({ id: id.trim(), role: request.auth?.role satisfies 'admin' | undefined })
})
/** What nobody said. */
export const POST = auth(async ({ auth: session }, { params }) => {
  const { id } = await params
  return Response.json({ id, name: session?.user.name })
})
