import { password } from '../../auth'
import { removePassword } from './actions'
import { ChangePassword } from './change-password'
import { formatDate } from './format-date'

interface Props {
  user: { email?: string | null | undefined }
}

export async function PasswordSection({ user: { email } }: Props) {
  const changed = (await password.info())?.changed
  return (
    <section className="card">
      <h2>Password</h2>
      <p className="note">{changed ? `Changed on ${formatDate(changed)}` : 'You have none.'}</p>
      {/* A changed password leaves an empty form. */}
      <ChangePassword key={changed?.getTime()} email={email ?? ''} isFirst={!changed} />
      {changed && (
        <form action={removePassword}>
          <button type="submit">Remove the password</button>
        </form>
      )}
    </section>
  )
}
