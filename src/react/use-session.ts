'use client'
import { useContext, useEffect, useRef } from 'react'
import type { SessionOf, TellsSession } from '../session-of.ts'
import { SessionContext } from './session-provider.tsx'
import type { SessionContextValue } from './session-provider.tsx'
import { pageUrl } from './state.ts'

/** Options of {@link useSession}. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** Whether nobody may see this without being signed in. @default false */
  required?: Required
  /** What to do then. @default go to the sign-in page */
  onUnauthenticated?: () => void
}

function goToSignIn(): void {
  // In place of this page: whoever went back to it would be led here again, and could never leave.
  globalThis.location.replace(pageUrl('signin', { error: 'SessionRequired' }))
}

/**
 * Who is signed in, in a client component below {@link SessionProvider}.
 *
 * @throws Error when there is no provider above
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
 * The same with the type of the session that `auth` tells of: `useSession<typeof auth>()`, with `import type { auth }`.
 * What the browser has came as JSON: a `Date` is a string there.
 */
export function useSession<Source extends TellsSession>(
  options: UseSessionOptions<true> & { required: true },
): SessionContextValue<true, SessionOf<Source>>
export function useSession<Source extends TellsSession>(
  options?: UseSessionOptions,
): SessionContextValue<false, SessionOf<Source>>
// Once more, because the last one is what `ReturnType` and mocks of test runners see.
export function useSession<R extends boolean = false>(
  options?: UseSessionOptions<R>,
): SessionContextValue<R>
export function useSession(options: UseSessionOptions = {}): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a <SessionProvider> above the component.')
  const { required = false, onUnauthenticated } = options
  const isMissing = required && value.status === 'unauthenticated'
  const react = useRef(onUnauthenticated)
  useEffect(() => {
    react.current = onUnauthenticated
  })
  // Nobody is sent away because there was no answer.
  const isSure = isMissing && !value.isUncertain
  // Once for each time somebody turns out to be signed out, however often the component is rendered.
  useEffect(() => {
    if (isSure) (react.current ?? goToSignIn)()
  }, [isSure])
  return isMissing ? { ...value, data: null, status: 'loading' } : value
}
