import type { Context, Reply } from '../contracts.ts'
import { errorTable, isErrorType } from '../errors/table.ts'
import { pageUrl } from '../http/explain.ts'
import { errorPage } from '../pages/error.ts'
import { ownPage } from './own-page.ts'

/** The status of the page: that of the error, or 200 for something that is none of ours. */
function statusOf(error: string): number {
  if (error === 'Configuration') return 500
  return isErrorType(error) ? errorTable[error].status : 200
}

/** `GET error`: says what went wrong, and how to go on. */
export async function showError(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const { basePath, pages, theme } = config
  const error = request.url.searchParams.get('error') ?? ''
  const own = ownPage(ctx, 'error')
  if (own) {
    if (error) own.searchParams.set('error', error)
    return { status: 302, redirect: own.href }
  }
  const signInUrl = pageUrl('signIn', { origin, basePath, pages }).href
  return { status: statusOf(error), html: errorPage({ theme, error, signInUrl, homeUrl: origin }) }
}
