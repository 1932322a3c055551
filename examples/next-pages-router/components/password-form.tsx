import { signIn } from 'lib-auth/react'
import { useState } from 'react'
import type { FormEvent } from 'react'

/** By code, and by type of error. */
const MESSAGES = new Map([
  ['locked', 'This account is locked.'],
  ['TooManyAttempts', 'Too many attempts. Try again later.'],
])

/** The values of the user who has a password are filled in. */
export function PasswordForm() {
  const [code, setCode] = useState<string>()
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    const answer = await signIn('credentials', { ...fields, redirect: false })
    setCode(answer.code ?? answer.error)
  }
  return (
    <>
      <h2>With a password</h2>
      <p className="note">Credentials that the application verifies.</p>
      <form onSubmit={(event) => void submit(event)}>
        {code && <p role="alert">{MESSAGES.get(code) ?? 'User name or password is wrong.'}</p>}
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
        <button type="submit">Sign in with a password</button>
      </form>
    </>
  )
}
