import { auth, sessions, signIn } from '../../auth'
import { adapter } from '../../database'
import { deleteAccount, signOutAtProvider, signOutHere } from './actions'
import { Devices } from './devices'
import { EmailAddress } from './email-address'
import { Methods } from './methods'
import { Notice } from './notice'
import { Passkeys } from './passkeys'
import { PasswordSection } from './password'
import { SecondStep } from './second-step'

interface Props {
  searchParams: Promise<{ notice?: string; error?: string; to?: string }>
}

/** Protects itself: `proxy.ts` does not match this page. */
export default async function AccountPage({ searchParams }: Props) {
  const session = await auth()
  if (!session?.user) return signIn(undefined, { redirectTo: '/account' })
  const { id = '' } = session.user
  // With sessions in cookies, the session has the address of the last sign-in.
  const user = (await adapter.getUser(id)) ?? session.user
  const { notice = '', error, to = '' } = await searchParams
  const devices = await sessions.list()
  const isFromProvider = devices?.sessions.some(({ isCurrent, via }) => isCurrent && via === 'demo')
  return (
    <>
      <h1>Your account</h1>
      <p>This page reads the session before it shows anything.</p>
      <Notice name={error ?? notice} />
      <dl>
        <dt>Name</dt>
        <dd>{user.name ?? 'not set'}</dd>
        <dt>E-mail address</dt>
        <dd>{user.email}</dd>
      </dl>
      <Methods />
      <Passkeys />
      <SecondStep />
      <PasswordSection user={user} />
      <EmailAddress to={to} />
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
        {notice === 'delete' ? (
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
