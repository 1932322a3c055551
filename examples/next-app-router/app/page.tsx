import { auth } from '../auth'
import { adapter } from '../database'
import { chooseHow, enterAtProvider, leave } from './actions'

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
      <form action={enterAtProvider} className="actions">
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
          <form action={enterAtProvider}>
            <button type="submit">Sign in with the demo provider</button>
          </form>
          <form action={chooseHow}>
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
      <form action={leave}>
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
