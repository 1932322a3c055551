'use client'
import { useActionState } from 'react'
import { signInWithPassword } from '../actions'

export function PasswordForm() {
  const [code, action, isPending] = useActionState(signInWithPassword, null)
  return (
    <form action={action}>
      <h2>With a password</h2>
      {code && (
        <p role="alert">
          {code === 'locked' ? 'This account is locked.' : 'User name or password is wrong.'}
        </p>
      )}
      <input type="hidden" name="redirectTo" value="/client" />
      <label htmlFor="username">User name</label>
      <input id="username" name="username" autoComplete="username" required />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      <div className="actions">
        <button type="submit" disabled={isPending}>
          Sign in with a password
        </button>
      </div>
    </form>
  )
}
