import type { Route } from './+types/protected'
import { lib } from '../auth.server'

export const middleware = [lib.protect()]

export async function loader({ context }: Route.LoaderArgs) {
  const session = await lib.auth(context)
  return { name: session?.user?.name }
}

export default function Protected({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <h1>For signed-in users only</h1>
      <p>You are {loaderData.name}.</p>
    </>
  )
}
