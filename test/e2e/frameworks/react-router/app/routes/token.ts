import type { Route } from './+types/token'
import { lib } from '../auth.server'

export const loader = async (args: Route.LoaderArgs) =>
  Response.json(await lib.getAccessToken(args, 'op').catch(({ type, code }) => ({ type, code })))
