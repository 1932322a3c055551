'use client'
import { register } from 'lib-auth/webauthn'
import { useRouter } from 'next/navigation'
import { useState } from 'react'

const CONFIRM = `/api/auth/step-up?callbackUrl=${encodeURIComponent('/account?notice=confirmed')}`

/** Only the browser can create a passkey. */
export function AddPasskey() {
  const router = useRouter()
  const [message, setMessage] = useState('')

  async function add() {
    setMessage('')
    const result = await register('passkey', { redirect: false })
    if (result.error === undefined) router.refresh()
    // The sign-in is too old, or lacks the second step.
    else if (result.error === 'StepUpRequired') location.assign(CONFIRM)
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
