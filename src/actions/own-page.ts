import type { Context } from '../contracts.ts'
import { ErrorPageLoop } from '../errors/configuration.ts'
import { pageUrl } from '../http/explain.ts'
import type { ReplaceablePage } from '../http/explain.ts'
import { isSamePage } from '../http/path.ts'

/** The page that replaces a built-in one; `null` if there is none or it is configured with the built-in URL. */
export function ownPage(ctx: Context, page: ReplaceablePage): URL | null {
  const { origin, config } = ctx
  const { basePath, pages, log } = config
  if (!pages[page]) return null
  const url = pageUrl(page, { origin, basePath, pages })
  if (!isSamePage(url, pageUrl(page, { origin, basePath, pages: {} }))) return url
  log.error(
    new ErrorPageLoop(
      `pages.${page} (${pages[page]}) is the URL of the built-in page, which is shown instead. Remove it, or set it to a page of your application.`,
    ),
  )
  return null
}
