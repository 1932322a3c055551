import type { Context, Reply } from '../contracts.ts'
import { errorTable, isErrorType } from '../errors/table.ts'
import { pageUrl } from '../http/page-url.ts'
import { errorPage } from '../pages/error-page.ts'
import { ownPage } from './own-page.ts'

/** Status of the page; 200 for an error type that is not part of the library. */
function statusOf(error: string): number {
  if (error === 'Configuration') return 500
  return isErrorType(error) ? errorTable[error].status : 200
}

export async function showError(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const error = request.url.searchParams.get('error') ?? ''
  const own = ownPage(ctx, 'error')
  if (own) {
    if (error) own.searchParams.set('error', error)
    return { status: 302, redirect: own.href }
  }
  const signInUrl = pageUrl('signIn', ctx).href
  return {
    status: statusOf(error),
    html: errorPage({ theme: config.theme, error, signInUrl, homeUrl: origin }),
  }
}
