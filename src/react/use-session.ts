'use client'
import { useContext, useEffect, useRef } from 'react'
import type { SessionOf, TellsSession } from '../session-of.ts'
import { SessionContext } from './session-provider.tsx'
import type { SessionContextValue } from './session-provider.tsx'
import { pageUrl } from './state.ts'

/** Options of {@link useSession}. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Whether the component requires a session. @default false */
  required?: Required
  /** Called if the user is unauthenticated. @default goes to the sign-in page */
  onUnauthenticated?: () => void
}

function goToSignIn(): void {
  // Replaces this page, so that the back button does not lead to it and to another redirect.
  globalThis.location.replace(pageUrl('signin', { error: 'SessionRequired' }))
}

/**
 * Returns the session in a client component below {@link SessionProvider}.
 *
 * @throws Error if there is no {@link SessionProvider} above
 * @example
 * ```tsx
 * 'use client'
 * import { useSession } from 'lib-auth/react'
 *
 * export function Greeting() {
 *   const { data, status } = useSession()
 *   if (status === 'loading') return null
 *   return <p>{data ? `Hello ${data.user?.name}` : 'Hello stranger'}</p>
 * }
 * ```
 */
export function useSession<R extends boolean = false>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
/**
 * Returns the session with the type that `auth` has: `useSession<typeof auth>()`, with `import type { auth }`. It has
 * been parsed from JSON, so a `Date` is a string.
 */
export function useSession<Source extends TellsSession>(
  options: UseSessionOptions<true> & { required: true },
): SessionContextValue<true, SessionOf<Source>>
export function useSession<Source extends TellsSession>(
  options?: UseSessionOptions,
): SessionContextValue<false, SessionOf<Source>>
// Repeated, because `ReturnType` and mocks of test runners use the last overload.
export function useSession<R extends boolean = false>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
export function useSession(options: UseSessionOptions = {}): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a <SessionProvider> above the component.')
  const { required = false, onUnauthenticated } = options
  const isMissing = required && value.status === 'unauthenticated'
  const callback = useRef(onUnauthenticated)
  useEffect(() => {
    callback.current = onUnauthenticated
  })
  // A failed read does not redirect.
  const isConfirmed = isMissing && !value.isUncertain
  // Once per sign-out, however often the component renders.
  useEffect(() => {
    if (isConfirmed) (callback.current ?? goToSignIn)()
  }, [isConfirmed])
  return isMissing ? { ...value, data: null, status: 'loading' } : value
}
