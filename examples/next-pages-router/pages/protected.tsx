import { useSession } from 'lib-auth/react'

/** A static page; `proxy.ts` shows it only to signed-in users. */
export default function ProtectedPage() {
  // Redirects to the sign-in page after a sign-out while the page is open.
  const { data: session } = useSession({ required: true })
  if (!session) return <p role="status">Loading the session…</p>
  return (
    <>
      <h1>For signed-in users only</h1>
      <p>
        Only signed-in users can see this page. You are{' '}
        <strong>{session.user?.name ?? session.user?.email}</strong>.
      </p>
    </>
  )
}
