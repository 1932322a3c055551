import { adapter } from '../database'
import { signInWithProvider } from './actions'

/** The accounts with which the user can sign in; passkeys are on the account page. */
export async function LinkedAccounts({ userId }: { userId: string }) {
  const all = await adapter.listAccounts(userId)
  const accounts = all.filter(({ type }) => type !== 'webauthn')
  return (
    <section className="card">
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
      <form action={signInWithProvider}>
        <button type="submit">Link an account of the demo provider</button>
      </form>
    </section>
  )
}
