import { useSession } from 'lib-auth/react'
import type { Route } from './+types/page'
import { auth } from '../auth.server'

export async function loader({ context }: Route.LoaderArgs) {
  return { name: (await auth(context))?.user?.name }
}

export default function Page({ loaderData }: Route.ComponentProps) {
  const { data, status } = useSession()
  return (
    <>
      <p>{loaderData.name}</p>
      <i>{`${status}: ${data?.user?.name}`}</i>
    </>
  )
}
