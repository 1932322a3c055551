'use client'
import { useActionState } from 'react'
import { changePassword } from './actions'
import { Problem } from './problem'

/** Password managers recognise the account by the hidden address. */
export function ChangePassword({ email, isFirst }: { email: string; isFirst: boolean }) {
  const [problem, action, isPending] = useActionState(changePassword, undefined)
  const isCurrentWrong = problem === 'current_password'
  return (
    <form action={action}>
      <Problem id="password-problem" code={problem} />
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {!isFirst && (
        <>
          <label htmlFor="current">Current password</label>
          <input
            id="current"
            name="current"
            type="password"
            autoComplete="current-password"
            aria-invalid={isCurrentWrong}
            aria-describedby="password-problem"
            autoFocus={isCurrentWrong}
            required
          />
        </>
      )}
      <label htmlFor="new-password">New password</label>
      <input
        id="new-password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        aria-invalid={problem !== undefined && !isCurrentWrong}
        aria-describedby="password-rule password-problem"
        autoFocus={problem !== undefined && !isCurrentWrong}
        required
      />
      <p className="note" id="password-rule">
        At least 12 characters. All other sessions will end.
      </p>
      <button type="submit" disabled={isPending}>
        {isFirst ? 'Set a password' : 'Change the password'}
      </button>
    </form>
  )
}
