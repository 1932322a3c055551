import type { Context } from '../contracts.ts'
import { ErrorPageLoop } from '../errors/configuration.ts'
import { builtInPageUrl, pageUrl } from '../http/page-url.ts'
import type { ReplaceablePage } from '../http/page-url.ts'
import { isSamePage } from '../http/path.ts'

/** The page that replaces a built-in one; `null` if there is none or it is configured with the built-in URL. */
export function ownPage(ctx: Context, page: ReplaceablePage): URL | null {
  const { pages, log } = ctx.config
  if (!pages[page]) return null
  const url = pageUrl(page, ctx)
  if (!isSamePage(url, builtInPageUrl(page, ctx))) return url
  log.error(
    new ErrorPageLoop(
      `pages.${page} (${pages[page]}) is the URL of the built-in page, which is shown instead. Remove it, or set it to a page of your application.`,
    ),
  )
  return null
}
