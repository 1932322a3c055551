/** Completes a sign-in or sign-out of a page. */
import { openChannel } from './channel.ts'
import type { FormResult } from './forms.ts'
import { shared } from './page-state.ts'

function notifyTabs(): void {
  if (shared.store) return shared.store.notify()
  const channel = openChannel(() => undefined)
  channel.send('session')
  channel.close()
}

/** Updates the session in all tabs; returns the result, unless the page is redirecting. */
export async function finish<T>(form: FormResult<T>): Promise<T | void> {
  const { result, isRedirecting, changesUser } = form
  if (changesUser) notifyTabs()
  if (isRedirecting) return undefined
  if (changesUser) await shared.store?.reload()
  return result
}
