import { useSession } from 'lib-auth/react'
import type { Session } from 'lib-auth/react'
import { useRouter } from 'next/router'
import { useEffect, useRef } from 'react'

function nameOf(session: Session | null) {
  return JSON.stringify(session?.user ?? null)
}

/**
 * Makes the server render the page again when the session has changed: after a sign-out in
 * another tab, after the session has expired, or when the browser restores a page from the back-forward cache.
 */
export function FollowSession({ rendered }: { rendered: Session | null }) {
  const { data, status } = useSession()
  const { asPath, replace } = useRouter()
  const shown = useRef(rendered)
  useEffect(() => {
    shown.current = rendered
  }, [rendered])
  useEffect(() => {
    if (status !== 'loading' && nameOf(data) !== nameOf(shown.current)) void replace(asPath)
  }, [data, status, asPath, replace])
  return null
}
