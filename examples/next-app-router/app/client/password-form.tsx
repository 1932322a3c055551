'use client'
import { useActionState } from 'react'
import { signInWithPassword } from '../actions'

/** By code, and by type of error. */
const MESSAGES = new Map([
  ['locked', 'This account is locked.'],
  ['TooManyAttempts', 'Too many attempts. Try again later.'],
])

/** The values of the user who has a password are filled in. */
export function PasswordForm({ redirectTo }: { redirectTo: string }) {
  const [code, action, isPending] = useActionState(signInWithPassword, null)
  return (
    <>
      <h2>With a password</h2>
      <p className="note">Credentials that the application verifies.</p>
      <form action={action}>
        {code && <p role="alert">{MESSAGES.get(code) ?? 'User name or password is wrong.'}</p>}
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <label htmlFor="username">User name</label>
        <input
          id="username"
          name="username"
          autoComplete="username"
          defaultValue="grace"
          required
        />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          defaultValue="correct horse"
          required
        />
        <button type="submit" disabled={isPending}>
          Sign in with a password
        </button>
      </form>
    </>
  )
}
