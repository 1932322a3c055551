/** The links in mails about a change of the e-mail address: a page with a button, whose form makes the change. */
import {
  confirmChange,
  findChange,
  findUndo,
  rejectOtherUser,
  undoChange,
} from '../account/confirm-email.ts'
import type { Confirmation } from '../account/confirm-email.ts'
import { openLink } from '../account/email-change.ts'
import type { EmailLink } from '../account/email-change.ts'
import { issueCsrfToken } from '../checks/csrf.ts'
import { withDatabase } from '../checks/with-database.ts'
import type { Context, Reply } from '../contracts.ts'
import { pageUrl } from '../http/path.ts'
import { PAGE_WITH_TOKEN, withPrivateUrl } from '../http/respond.ts'
import { limitFailures } from '../limits/consume.ts'
import { changedPage, confirmChangePage } from '../pages/confirm-page.ts'
import { describeSite } from '../pages/layout.ts'

async function findAddress(ctx: Context, link: EmailLink): Promise<string> {
  if (link.kind === 'undo') return (await findUndo(ctx, link)).change.from
  return (await findChange(ctx, link)).change.to
}

/** Changes nothing: mail scanners open every link. */
export async function showConfirm(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const token = request.url.searchParams.get('token')
  const link = await openLink(ctx, token)
  await rejectOtherUser(ctx, link)
  const address = await findAddress(ctx, link)
  const html = confirmChangePage({
    ...describeSite(ctx),
    kind: link.kind === 'undo' ? 'undo' : 'change',
    action: `${origin}${config.basePath}/confirm`,
    hidden: { csrfToken: await issueCsrfToken(ctx), token },
    address,
    homeUrl: origin,
  })
  return withPrivateUrl({ status: 200, html, headers: PAGE_WITH_TOKEN })
}

async function makeChange(ctx: Context): Promise<Confirmation> {
  const link = await openLink(ctx, ctx.request.body['token'])
  await rejectOtherUser(ctx, link)
  const inner = await withDatabase(ctx, 'The link changes a user in the database.')
  const { kind } = link
  return kind === 'undo' ? undoChange(inner, link) : confirmChange(inner, { ...link, kind })
}

/** With a CSRF token: another site cannot confirm with a link of its own. */
export async function confirm(ctx: Context): Promise<Reply> {
  const confirmation = await limitFailures(ctx, 'callback', () => makeChange(ctx))
  const html = changedPage({
    ...describeSite(ctx),
    ...confirmation,
    signInUrl: pageUrl('signIn', ctx).href,
    homeUrl: ctx.origin,
  })
  return withPrivateUrl({ status: 200, html, headers: PAGE_WITH_TOKEN })
}
