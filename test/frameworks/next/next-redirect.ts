/** Redirects of Next, which are thrown. */
// Next requires that this is imported first.
import 'next/dist/server/node-environment-baseline.js'
import {
  getRedirectStatusCodeFromError,
  getURLFromRedirectError,
} from 'next/dist/client/components/redirect.js'

/** The URL of a thrown redirect. */
export async function thrownRedirect(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('No redirect was thrown.'),
    (cause: unknown) => cause,
  )
  const url = getURLFromRedirectError(error as Parameters<typeof getURLFromRedirectError>[0])
  if (url === null) throw error
  return url
}

/** The status of a thrown redirect. */
export async function thrownRedirectStatus(work: Promise<unknown>): Promise<number> {
  const error: unknown = await work.catch((cause: unknown) => cause)
  return getRedirectStatusCodeFromError(
    error as Parameters<typeof getRedirectStatusCodeFromError>[0],
  )
}
