import type { SessionContext } from '../contracts.ts'
import { deleteChunked } from '../cookies/chunk.ts'
import type { SessionCookie } from '../cookies/names.ts'

/** Returns the cookie for a renewed session: the current name, for the protocol of the cookie it was read from. */
export function renewedCookie({ config }: SessionContext, found: SessionCookie): SessionCookie {
  return config.cookies[found.security].sessionToken
}

/** Skipped if the Cookie header was truncated: a valid session may be in the missing part. */
export function clearRead({ jar, cookies }: SessionContext): void {
  if (jar.isTruncated) return
  for (const cookie of cookies.sessionTokens) deleteChunked(jar, cookie)
}

export function clearFormer({ jar, cookies }: SessionContext, written: SessionCookie): void {
  for (const cookie of cookies.sessionTokens)
    if (cookie.name !== written.name && cookie.security === written.security)
      deleteChunked(jar, cookie)
}

/** Deletes the session cookies of both protocols except one: no other session may remain after a sign-in. */
export function clearAll({ jar, cookies, config }: SessionContext, kept?: SessionCookie): void {
  // Cookies of this request last: if one name is configured for both protocols, the attributes of this one must win.
  for (const cookie of [...config.cookies.both.sessionTokens, ...cookies.sessionTokens])
    if (cookie.name !== kept?.name) deleteChunked(jar, cookie)
}
