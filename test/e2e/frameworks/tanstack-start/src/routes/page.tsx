import { createFileRoute } from '@tanstack/react-router'
import { useSession } from 'lib-auth/react'
import { readSession } from '../session'

export const Route = createFileRoute('/page')({
  loader: async () => ({ name: (await readSession())?.user?.name }),
  component: Page,
})

function Page() {
  const { name } = Route.useLoaderData()
  const { data, status } = useSession()
  return (
    <>
      <p>{name}</p>
      <i>{`${status}: ${data?.user?.name}`}</i>
    </>
  )
}
