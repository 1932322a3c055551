import type { Route } from './+types/own'
import { auth } from '../auth.server'

export async function loader({ context }: Route.LoaderArgs) {
  const headers = new Headers({ 'cache-control': 'public, max-age=60' })
  headers.append('set-cookie', 'before=a%20b; Path=/')
  await auth(context)
  headers.append('set-cookie', 'after=1')
  return new Response('own', { headers })
}
