import { createFileRoute } from '@tanstack/react-router'
import { signOut, useSession } from 'lib-auth/react'

export const Route = createFileRoute('/client')({ component: Client })

function Client() {
  const { data: session } = useSession()
  return (
    <>
      <h1>{session ? `Hello, ${session.user?.name}` : 'You are not signed in'}</h1>
      <p>This page reads the session in the browser.</p>
      {session && (
        <form action={() => signOut({ redirectTo: '/' })}>
          <button>Sign out</button>
        </form>
      )}
    </>
  )
}
