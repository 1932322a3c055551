import type { Route } from './+types/scopes'
import { lib } from '../auth.server'

export const action = (args: Route.ActionArgs) =>
  lib.requestScopes(args, 'op', ['calendar'], { redirectTo: '/page' })
