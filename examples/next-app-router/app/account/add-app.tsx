'use client'
import { useActionState } from 'react'
import { addApp } from './actions'
import { Problem } from './problem'
import { RecoveryCodes } from './recovery-codes'

/** A button, then the QR code and a field for a code of the app, then the recovery codes. Works without a script. */
export function AddApp({ isFirst }: { isFirst: boolean }) {
  const [{ app, problem, recoveryCodes = [] }, action, isPending] = useActionState(addApp, {})
  if (recoveryCodes.length > 0) return <RecoveryCodes codes={recoveryCodes} />
  return (
    <form action={action}>
      {app && (
        <>
          <p>Scan the QR code with your app, then enter the six digits that it shows.</p>
          <img
            className="qr"
            alt="QR code for an authenticator app"
            src={`data:image/svg+xml,${encodeURIComponent(app.qrCode)}`}
          />
          <p className="note">
            Or enter this key: <code>{app.secret}</code>, or{' '}
            <a href={app.uri}>open the app on this device</a>.
          </p>
          <Problem id="code-problem" code={problem} />
          <label htmlFor="code">Code</label>
          <input
            id="code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            aria-invalid={problem !== undefined}
            aria-describedby="code-problem"
            autoFocus
            required
          />
        </>
      )}
      <button type="submit" disabled={isPending} className={app && 'primary'}>
        {app ? 'Confirm the code' : isFirst ? 'Add an authenticator app' : 'Add another app'}
      </button>
    </form>
  )
}
