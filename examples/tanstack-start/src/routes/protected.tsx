import { createFileRoute } from '@tanstack/react-router'
import { readName } from '../session'

export const Route = createFileRoute('/protected')({
  // The server function is protected: a loader also runs in the browser.
  loader: async () => ({ name: await readName() }),
  component: Protected,
})

function Protected() {
  const { name } = Route.useLoaderData()
  return (
    <>
      <h1>For signed-in users only</h1>
      <p>You are {name}.</p>
    </>
  )
}
