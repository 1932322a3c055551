import type { Context, Reply } from '../contracts.ts'
import { errorTable } from '../errors/table.ts'
import type { ErrorType } from '../errors/base.ts'
import { pageUrl } from '../http/explain.ts'
import { errorPage } from '../pages/error.ts'

function isErrorType(type: string): type is ErrorType {
  return Object.hasOwn(errorTable, type)
}

/** The status of the page: that of the error, or 200 for something that is none of ours. */
function statusOf(error: string): number {
  if (error === 'Configuration') return 500
  return isErrorType(error) ? errorTable[error].status : 200
}

/** `GET error`: says what went wrong, and how to go on. */
export async function showError(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const { basePath, pages, theme } = config
  const site = { origin, basePath, pages }
  const error = request.url.searchParams.get('error') ?? ''
  if (pages.error) {
    const url = pageUrl('error', site)
    if (error) url.searchParams.set('error', error)
    return { status: 302, redirect: url.href }
  }
  const signInUrl = pageUrl('signIn', site).href
  return { status: statusOf(error), html: errorPage({ theme, error, signInUrl, homeUrl: origin }) }
}
