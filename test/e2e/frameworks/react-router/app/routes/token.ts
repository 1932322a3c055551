import type { Route } from './+types/token'
import { lib } from '../auth.server'
import { respondLate } from '../respond-late.server'

export const loader = async (args: Route.LoaderArgs) => {
  const read = () => lib.getAccessToken(args, 'op').catch(({ type, code }) => ({ type, code }))
  return new URL(args.request.url).searchParams.has('late')
    ? respondLate(read)
    : Response.json(await read())
}
