'use client'
import { useActionState } from 'react'
import { changeEmail } from './actions'
import { Problem } from './problem'

export function ChangeEmail({ to }: { to: string }) {
  const [form, action, isPending] = useActionState(changeEmail, { to })
  return (
    <form action={action}>
      <Problem id="email-problem" code={form.problem} />
      <label htmlFor="new-email">New e-mail address</label>
      <input
        id="new-email"
        name="to"
        type="email"
        autoComplete="email"
        defaultValue={form.to}
        aria-invalid={form.problem !== undefined}
        aria-describedby="email-problem"
        autoFocus={form.problem !== undefined}
        required
      />
      <button type="submit" disabled={isPending}>
        Change the e-mail address
      </button>
    </form>
  )
}
