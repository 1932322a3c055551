import type { Theme } from './config/types.ts'
import { createJar } from './cookies/jar.ts'
import { explain, messageFor } from './http/explain.ts'
import { respond } from './http/respond.ts'
import { errorPage } from './pages/error.ts'

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
  const explanation = explain(error)
  const { status, headers } = explanation
  if (reads === 'page') {
    const html = errorPage({ theme, error: explanation.error })
    return respond({ status, html, ...(headers && { headers }) }, createJar(null), request)
  }
  // Next.js shows the text of a failed server action only if its content type has no charset.
  const type = { 'content-type': 'text/plain' }
  return new Response(messageFor(explanation), { status, headers: { ...headers, ...type } })
}
