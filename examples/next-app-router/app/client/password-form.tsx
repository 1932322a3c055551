'use client'
import { useActionState } from 'react'
import { signInWithPassword } from '../actions'

/** The values of the user who has a password are filled in. */
export function PasswordForm({ redirectTo }: { redirectTo: string }) {
  const [code, action, isPending] = useActionState(signInWithPassword, null)
  return (
    <>
      <h2>With a password</h2>
      <p className="note">
        <a href="/api/auth/password/sign-up">Create an account</a>, or{' '}
        <a href="/api/auth/password/forgot">choose a new password</a>.
      </p>
      <form action={action}>
        {code && (
          <p role="alert">
            {code === 'TooManyAttempts'
              ? 'Too many attempts. Try again later.'
              : 'E-mail address or password is wrong.'}
          </p>
        )}
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <label htmlFor="username">E-mail address</label>
        <input
          id="username"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue="grace@example.com"
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
