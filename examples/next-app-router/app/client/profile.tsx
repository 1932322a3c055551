'use client'
import { signIn, signOut, useSession } from 'lib-auth/react'
import { useState } from 'react'

export function Profile() {
  const { data: session, status, update } = useSession()
  const [name, setName] = useState('')
  if (status === 'loading') return <p role="status">Loading the session…</p>
  if (status === 'unauthenticated') {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>This page asked for the session in the browser.</p>
        <button type="button" onClick={() => void signIn()}>
          Sign in
        </button>
      </>
    )
  }
  return (
    <>
      <h1>Hello, {session?.user?.name ?? session?.user?.email}</h1>
      <p>This page asked for the session in the browser.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void update({ user: { name } })
        }}
      >
        <label htmlFor="name">Change your name</label>
        <div className="actions">
          <input id="name" value={name} onChange={(event) => setName(event.target.value)} />
          <button type="submit">Update</button>
        </div>
      </form>
      <button type="button" className="plain" onClick={() => void signOut({ redirectTo: '/' })}>
        Sign out
      </button>
    </>
  )
}
