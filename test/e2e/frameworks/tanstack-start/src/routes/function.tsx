import { createFileRoute } from '@tanstack/react-router'
import { readSecret } from '../session'

/** Protected by the server function alone. */
export const Route = createFileRoute('/function')({
  loader: async () => ({ secret: await readSecret() }),
  component: Secret,
})

function Secret() {
  return <p>{Route.useLoaderData().secret}</p>
}
