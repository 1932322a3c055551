import { auth } from '../auth'
import { adapter } from '../database'
import { openSignInPage, signInWithProvider, signOutToHome } from './actions'

async function Accounts({ userId }: { userId: string }) {
  const accounts = await adapter.listAccounts(userId)
  return (
    <>
      <h2>Linked accounts</h2>
      {accounts.length === 0 ? (
        <p>None yet.</p>
      ) : (
        <ul>
          {accounts.map(({ provider, providerAccountId }) => (
            <li key={`${provider} ${providerAccountId}`}>
              {providerAccountId} at provider {provider}
            </li>
          ))}
        </ul>
      )}
      <form action={signInWithProvider} className="actions">
        <button type="submit" className="plain">
          Link an account of the demo provider
        </button>
      </form>
    </>
  )
}

export default async function ServerPage() {
  const session = await auth()
  if (!session?.user) {
    return (
      <>
        <h1>You are not signed in</h1>
        <p>This page was rendered on the server.</p>
        <div className="actions">
          <form action={signInWithProvider}>
            <button type="submit">Sign in with the demo provider</button>
          </form>
          <form action={openSignInPage}>
            <button type="submit" className="plain">
              Other ways to sign in
            </button>
          </form>
        </div>
      </>
    )
  }
  const { id, name, email } = session.user
  return (
    <>
      <h1>Hello, {name ?? email}</h1>
      <p>This page was rendered on the server, for {email}.</p>
      <pre aria-label="Session">{JSON.stringify(session, null, 2)}</pre>
      {id && <Accounts userId={id} />}
      <form action={signOutToHome}>
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
