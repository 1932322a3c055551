import { passkeys } from '../../auth'
import { renamePasskey } from './actions'
import { AddPasskey } from './add-passkey'
import { formatDate } from './format-date'
import { RemovePasskey } from './remove-passkey'

/** The passkeys of the user, who can add, rename and remove them. */
export async function Passkeys() {
  const list = (await passkeys.list()) ?? []
  return (
    <section className="card">
      <h2>Passkeys</h2>
      {list.length === 0 && <p className="note">You have none.</p>}
      <ul>
        {list.map(({ credentialID, name, deviceType, created, lastUsed }) => (
          <li key={credentialID}>
            {deviceType === 'multiDevice' ? 'Synchronized' : 'On one device'}, added{' '}
            {formatDate(created)}, last used {formatDate(lastUsed)}
            <form action={renamePasskey}>
              <input type="hidden" name="id" value={credentialID} />
              <label>
                Name of the passkey
                <input
                  name="name"
                  defaultValue={name ?? ''}
                  maxLength={100}
                  pattern=".*\S.*"
                  required
                />
              </label>
              <div className="actions">
                <button type="submit">Rename</button>
                <RemovePasskey id={credentialID} />
              </div>
            </form>
          </li>
        ))}
      </ul>
      <AddPasskey />
    </section>
  )
}
