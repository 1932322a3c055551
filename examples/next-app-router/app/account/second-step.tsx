import { factors } from '../../auth'
import { removeApp } from './actions'
import { AddApp } from './add-app'
import { formatDate } from './format-date'
import { RenewCodes } from './renew-codes'

/** The authenticator apps of the user, whose codes a sign-in asks for after its first step. */
export async function SecondStep() {
  const { apps, recoveryCodesLeft } = (await factors.list()) ?? { apps: [], recoveryCodesLeft: 0 }
  return (
    <section className="card">
      <h2>Second step</h2>
      {apps.length === 0 && (
        <p className="note">With an authenticator app, a sign-in also asks for its code.</p>
      )}
      <ul className="rows">
        {apps.map(({ id, created }) => (
          <li key={id}>
            <div>
              Authenticator app
              <p className="note">Added on {formatDate(created)}</p>
            </div>
            <form action={removeApp}>
              <input type="hidden" name="id" value={id} />
              <button type="submit">Turn off</button>
            </form>
          </li>
        ))}
      </ul>
      <AddApp isFirst={apps.length === 0} />
      {apps.length > 0 && <RenewCodes left={recoveryCodesLeft} />}
    </section>
  )
}
