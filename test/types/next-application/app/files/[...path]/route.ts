import { auth } from '../../../auth'

export const GET = auth(async (_request, { params }: { params: Promise<{ path: string[] }> }) => {
  const { path } = await params
  return new Response(path.join('/'))
})
