'use client'
import { useActionState } from 'react'
import { renewRecoveryCodes } from './actions'
import { RecoveryCodes } from './recovery-codes'

export function RenewCodes({ left }: { left: number }) {
  const [codes, action, isPending] = useActionState(renewRecoveryCodes, [])
  if (codes.length > 0) return <RecoveryCodes codes={codes} />
  return (
    <form action={action}>
      <p className="note">{left} of 10 recovery codes left.</p>
      <button type="submit" disabled={isPending}>
        Create new recovery codes
      </button>
    </form>
  )
}
