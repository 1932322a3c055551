/** What a wrapper answers when it could not read the session of a request. */
import type { Theme } from './config/types.ts'
import { createJar } from './cookies/jar.ts'
import { explain, messageFor } from './http/explain.ts'
import { respond } from './http/respond.ts'
import { errorPage } from './pages/error.ts'

/** Who reads the answer. */
export interface Reader {
  /** `page` for a navigation, `text` for everything else. */
  readonly reads: 'page' | 'text'
  readonly theme: Theme | undefined
}

/** The answer: the built-in error page, or the same in one sentence. */
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
  // Without a charset: only so does Next show the text where a server action fails.
  const type = { 'content-type': 'text/plain' }
  return new Response(messageFor(explanation), { status, headers: { ...headers, ...type } })
}
