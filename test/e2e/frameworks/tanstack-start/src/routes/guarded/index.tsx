import { createFileRoute } from '@tanstack/react-router'
import { readSession } from '../../session'

export const Route = createFileRoute('/guarded/')({
  loader: async () => ({ name: (await readSession())?.user?.name ?? 'guest' }),
  component: Guarded,
})

function Guarded() {
  return <p>{`secret for ${Route.useLoaderData().name}`}</p>
}
