import { account } from '../../auth'
import { link, unlink } from './actions'

/** The accounts at providers with which the user signs in. */
export async function Methods() {
  const accounts = (await account.list()) ?? []
  return (
    <section className="card">
      <h2>How you sign in</h2>
      {accounts.length === 0 && <p className="note">No account of a provider is linked.</p>}
      <ul className="rows">
        {accounts.map(({ provider, providerAccountId, email }) => (
          <li key={`${provider} ${providerAccountId}`}>
            <div>
              Demo provider
              <p className="note">{email ?? providerAccountId}</p>
            </div>
            <form action={unlink}>
              <input type="hidden" name="provider" value={provider} />
              <input type="hidden" name="providerAccountId" value={providerAccountId} />
              <button type="submit" aria-label={`Unlink ${email ?? providerAccountId}`}>
                Unlink
              </button>
            </form>
          </li>
        ))}
      </ul>
      <form action={link}>
        <button type="submit">Link an account of the demo provider</button>
      </form>
    </section>
  )
}
