import type { Route } from './+types/scopes'
import { lib } from '../auth.server'

export const action = (args: Route.ActionArgs) => {
  const redirect = !new URL(args.request.url).searchParams.has('stay')
  return lib.requestScopes(args, 'op', ['calendar'], { redirectTo: '/page', redirect })
}
