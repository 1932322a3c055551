import type { Theme } from './config/types.ts'
import { createJar } from './cookies/jar.ts'
import { describeError, messageFor } from './http/error-reply.ts'
import { respond } from './http/respond.ts'
import { errorPage } from './pages/error-page.ts'

export interface Reader {
  /** `page` for a navigation, `text` for every other request. */
  readonly reads: 'page' | 'text'
  readonly theme: Theme | undefined
}

/** The built-in error page, or its message as plain text. */
export function answerSessionFailure(
  error: unknown,
  request: Request,
  { reads, theme = {} }: Reader,
): Response {
  const description = describeError(error)
  const { status, headers } = description
  if (reads === 'page') {
    const html = errorPage({ theme, error: description.error })
    return respond({ status, html, ...(headers && { headers }) }, createJar(null), request)
  }
  // Next.js shows the text of a failed server action only if its content type has no charset.
  const type = { 'content-type': 'text/plain' }
  return new Response(messageFor(description), { status, headers: { ...headers, ...type } })
}
