/** Which session cookies are written and deleted. */
import type { SessionContext } from '../contracts.ts'
import { deleteChunked } from '../cookies/chunk.ts'
import type { SessionCookie } from '../cookies/names.ts'

/** The cookie that a session is written to when it is extended: the current name for the protocol it was found under. */
export function renewedCookie({ config }: SessionContext, found: SessionCookie): SessionCookie {
  return config.cookies[found.security].sessionToken
}

/** Deletes the session cookies that this request reads; none of a header that was cut: the rest may be a valid session. */
export function clearRead({ jar, cookies }: SessionContext): void {
  if (jar.isTruncated) return
  for (const cookie of cookies.sessionTokens) deleteChunked(jar, cookie)
}

/** Deletes the former names of a session cookie of the same protocol. */
export function clearFormer({ jar, cookies }: SessionContext, written: SessionCookie): void {
  for (const cookie of cookies.sessionTokens)
    if (cookie.name !== written.name && cookie.security === written.security)
      deleteChunked(jar, cookie)
}

/** Deletes the session cookies of both protocols, except one; after a sign-in or sign-out no other session remains. */
export function clearAll({ jar, cookies, config }: SessionContext, kept?: SessionCookie): void {
  // Those of this request last: with one configured name for both protocols, their attributes are the right ones.
  for (const cookie of [...config.cookies.unknown.sessionTokens, ...cookies.sessionTokens])
    if (cookie.name !== kept?.name) deleteChunked(jar, cookie)
}
