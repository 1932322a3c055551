/** How a wrapper answers a call of `signIn` or `signOut`. */
import type { Target } from './wrap.ts'

/** 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
const SEE_OTHER = 303

/** Redirects if the caller asked for it. @returns the URL */
export function redirectAfterPost(
  { url, redirects }: Target,
  redirect: (url: string, status: number) => void,
): string {
  if (redirects) redirect(url, SEE_OTHER)
  return url
}

/** The redirect, or the URL as JSON. */
export function answerCall(
  { url, redirects }: Target,
  headers: Record<string, string> = {},
): Response {
  return redirects
    ? new Response(null, { status: SEE_OTHER, headers: { ...headers, location: url } })
    : Response.json({ url })
}
