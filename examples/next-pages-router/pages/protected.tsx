import { useSession } from 'lib-auth/react'

/** The same file for everybody; `proxy.ts` lets only people see it who are signed in. */
export default function ProtectedPage() {
  // Who signs out while the page is shown is led to the sign-in page.
  const { data: session } = useSession({ required: true })
  if (!session) return <p role="status">Loading the session…</p>
  return (
    <>
      <h1>For signed-in people only</h1>
      <p>
        The proxy lets nobody else see this page. You are{' '}
        <strong>{session.user?.name ?? session.user?.email}</strong>.
      </p>
    </>
  )
}
