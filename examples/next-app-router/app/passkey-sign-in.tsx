'use client'
import { signIn } from 'lib-auth/webauthn'
import { useState } from 'react'

export function PasskeySignIn() {
  const [message, setMessage] = useState('')

  async function enter() {
    setMessage('')
    const result = await signIn('passkey', { redirectTo: '/', redirect: false })
    if (result.error === undefined) location.assign(result.url)
    else setMessage(result.message)
  }

  return (
    <>
      <h2>With a passkey</h2>
      <p className="note">Add one on your account page, or on the built-in page as a new user.</p>
      {message && <p role="alert">{message}</p>}
      <p className="actions">
        <button type="button" onClick={() => void enter()}>
          Sign in with a passkey
        </button>
      </p>
    </>
  )
}
