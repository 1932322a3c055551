import { signIn, signOut, useSession } from 'lib-auth/react'
import { useState } from 'react'
import { PasswordForm } from '../components/password-form'

export default function ClientPage() {
  const { data: session, status, update } = useSession()
  const [name, setName] = useState('')
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
            <PasswordForm />
          </section>
        </div>
      </>
    )
  }
  return (
    <>
      <h1>Hello, {session?.user?.name ?? session?.user?.email}</h1>
      <p>This page reads the session in the browser.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void update({ user: { name } })
        }}
      >
        <label htmlFor="name">Change your name</label>
        <input
          id="name"
          value={name}
          maxLength={100}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <div className="actions">
          <button type="submit">Update in the browser</button>
        </div>
      </form>
      <button type="button" onClick={() => void signOut({ redirectTo: '/' })}>
        Sign out
      </button>
    </>
  )
}
