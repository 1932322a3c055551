import { auth, sessions, signIn } from '../../auth'
import { deleteAccount, signOutAtProvider, signOutHere } from './actions'
import { Devices } from './devices'
import { Notice } from './notice'
import { Passkeys } from './passkeys'

interface Props {
  searchParams: Promise<{ notice?: string }>
}

/** Protects itself: `proxy.ts` does not match this page. */
export default async function AccountPage({ searchParams }: Props) {
  const session = await auth()
  if (!session?.user) return signIn(undefined, { redirectTo: '/account' })
  const { name, email } = session.user
  const { notice = '' } = await searchParams
  const devices = await sessions.list()
  const isFromProvider = devices?.sessions.some(({ isCurrent, via }) => isCurrent && via === 'demo')
  const isConfirmed = notice === 'confirmed'
  return (
    <>
      <h1>Your account</h1>
      <p>This page reads the session before it shows anything.</p>
      <Notice name={notice} />
      <dl>
        <dt>Name</dt>
        <dd>{name ?? 'not set'}</dd>
        <dt>E-mail address</dt>
        <dd>{email}</dd>
      </dl>
      <Passkeys />
      {devices && <Devices page={devices} />}
      <section className="card">
        <h2>Sign out</h2>
        {isFromProvider && (
          <p className="note">
            Unless you sign out at the demo provider, too, the next sign-in there takes one click.
          </p>
        )}
        <div className="actions">
          <form action={signOutHere}>
            <button type="submit">Sign out</button>
          </form>
          {isFromProvider && (
            <form action={signOutAtProvider}>
              <button type="submit">Sign out at the provider, too</button>
            </form>
          )}
        </div>
      </section>
      <section className="card" id="delete">
        <h2>Delete the account</h2>
        {isConfirmed ? (
          <p role="status" className="done">
            Thank you, it is you. Press the button again within 30 seconds to delete the account.
          </p>
        ) : (
          <p className="note">
            If you signed in more than 30 seconds ago, you first have to confirm that it is you.
          </p>
        )}
        <form action={deleteAccount}>
          <button type="submit">Delete my account</button>
        </form>
      </section>
    </>
  )
}
