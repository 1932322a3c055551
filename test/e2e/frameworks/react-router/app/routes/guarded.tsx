import type { Route } from './+types/guarded'
import { auth } from '../auth.server'

export async function loader({ context }: Route.LoaderArgs) {
  return { name: (await auth(context))?.user?.name ?? 'guest' }
}

export const action = () => null

export default function Guarded({ loaderData }: Route.ComponentProps) {
  return <p>{`secret for ${loaderData.name}`}</p>
}
