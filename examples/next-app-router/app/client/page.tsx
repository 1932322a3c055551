'use client'
import { signIn, signOut, useSession } from 'lib-auth/react'
import { useRouter } from 'next/navigation'
import { rename } from '../actions'
import { PasswordForm } from './password-form'

export default function ClientPage() {
  const { data: session, status, update } = useSession()
  const router = useRouter()
  if (status === 'loading') return <p role="status">Loading the session…</p>
  if (status === 'unauthenticated') {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>This page reads the session in the browser.</p>
        <div className="methods">
          <section className="card">
            <h2>On the built-in page</h2>
            <p className="note">The browser opens it with signIn().</p>
            <p className="actions">
              <button type="button" className="primary" onClick={() => void signIn()}>
                Sign in
              </button>
            </p>
          </section>
          <section className="card">
            <PasswordForm redirectTo="/client" />
          </section>
        </div>
      </>
    )
  }
  async function renameInBrowser(form: FormData) {
    await update({ user: { name: form.get('name') } })
    // The rendered page shows the old name.
    router.refresh()
  }
  return (
    <>
      <h1>Hello, {session?.user?.name ?? session?.user?.email}</h1>
      <p>This page reads the session in the browser.</p>
      <form action={rename}>
        <label htmlFor="name">Change your name</label>
        <input id="name" name="name" maxLength={100} required />
        <div className="actions">
          <button type="submit" className="primary">
            Update in an action
          </button>
          <button type="submit" formAction={renameInBrowser}>
            Update in the browser
          </button>
        </div>
      </form>
      <button type="button" onClick={() => void signOut({ redirectTo: '/' })}>
        Sign out
      </button>
    </>
  )
}
