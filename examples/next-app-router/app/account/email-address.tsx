import Link from 'next/link'
import { account } from '../../auth'
import { cancelEmail, sendLinksAgain } from './actions'
import { ChangeEmail } from './change-email'

const MAILBOXES = { current: 'the current address', new: 'the new address' }

/** `to` is what the user typed in before they had to confirm who they are. */
export async function EmailAddress({ to }: { to: string }) {
  const pending = await account.pendingEmail()
  return (
    <section className="card">
      <h2>E-mail address</h2>
      {pending ? (
        <>
          <p>
            A change to <b>{pending.to}</b> waits until you open the link in the mail to{' '}
            {pending.awaits.map((mailbox) => MAILBOXES[mailbox]).join(' and that to ')}. In this
            demo, the mails are in the <Link href="/mail">inbox</Link>.
          </p>
          <div className="actions">
            <form action={sendLinksAgain}>
              <input type="hidden" name="to" value={pending.to} />
              <button type="submit">Send the links again</button>
            </form>
            <form action={cancelEmail}>
              <button type="submit">Cancel the change</button>
            </form>
          </div>
        </>
      ) : (
        <ChangeEmail to={to} />
      )}
    </section>
  )
}
