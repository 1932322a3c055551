'use client'
import { register } from 'lib-auth/webauthn'
import { useRouter } from 'next/navigation'
import { useState } from 'react'

/** Only the browser can create a passkey. */
export function AddPasskey() {
  const router = useRouter()
  const [message, setMessage] = useState('')

  async function add() {
    setMessage('')
    const result = await register('passkey', { redirect: false })
    if (result.error === undefined) router.refresh()
    else setMessage(result.message)
  }

  return (
    <>
      {message && <p role="alert">{message}</p>}
      <p className="actions">
        <button type="button" onClick={() => void add()}>
          Add a passkey
        </button>
      </p>
    </>
  )
}
