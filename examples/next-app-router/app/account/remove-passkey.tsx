'use client'
import { signalRemoved } from 'lib-auth/webauthn'
import { useRouter } from 'next/navigation'
import { removePasskey } from './actions'

/** Only the browser can tell password managers that the passkey was removed. */
export function RemovePasskey({ id }: { id: string }) {
  const router = useRouter()

  async function act() {
    const result = await removePasskey(id)
    if (result === 'removed') await signalRemoved(id)
    router.replace(result === 'last' ? '/account?notice=last' : '/account')
    router.refresh()
  }

  return (
    <button type="submit" formAction={act} formNoValidate>
      Remove
    </button>
  )
}
