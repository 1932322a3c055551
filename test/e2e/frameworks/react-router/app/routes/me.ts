import type { Route } from './+types/me'
import { auth } from '../auth.server'

export async function loader({ context }: Route.LoaderArgs) {
  const [session] = await Promise.all([auth(context), auth(context)])
  return Response.json(session)
}
