/**
 * What else can sign in to an account whose password was reset, such as a passkey that an intruder has added. The page
 * needs a recent session and both steps: a reset shows no more than access to the mailbox.
 */
import { describeAccount } from '../account/list-accounts.ts'
import type { ManagedUser } from '../account/managed-user.ts'
import { unlinkAccount } from '../account/unlink-account.ts'
import { issueCsrfToken } from '../checks/csrf.ts'
import type { Reply } from '../contracts.ts'
import type { AdapterUser } from '../database/adapter.ts'
import { removePasskey } from '../identity/remove-passkey.ts'
import { readMethods } from '../identity/sign-in-methods.ts'
import { describeSite } from '../pages/layout.ts'
import { methodsPage } from '../pages/methods-page.ts'
import type { MethodItem } from '../pages/methods-page.ts'
import { requireOwner, requireRecent } from './change-password.ts'
import type { PasswordContext } from './password-context.ts'

/** Whether {@link showMethods} has something to show. */
export async function hasOtherMethods(ctx: PasswordContext, user: AdapterUser): Promise<boolean> {
  const { accounts, passkeys } = await readMethods(ctx, user)
  return accounts.length > 0 || passkeys.length > 0
}

async function requireReviewer(ctx: PasswordContext): Promise<ManagedUser> {
  const { user, current } = await requireOwner(ctx, 'methods')
  await requireRecent(ctx, user, 'The page of sign-in methods')
  return { ctx, user, current, actor: { kind: 'user', id: user.id } }
}

/** The latest passkey first; accounts have no date. */
async function listItems({ ctx, user }: ManagedUser): Promise<MethodItem[]> {
  const methods = await readMethods(ctx, user)
  const { providers } = ctx.config
  const passkeys = methods.passkeys.map(({ credentialID, name, created }) => ({
    provider: null,
    detail: name || null,
    added: created ?? null,
    fields: { passkey: credentialID },
  }))
  const accounts = methods.accounts.map((row) => {
    const { provider, providerAccountId: account, email } = describeAccount(row, methods)
    const { name = provider } = providers.get(provider) ?? {}
    return { provider: name, detail: email, added: null, fields: { provider, account } }
  })
  const time = ({ added }: MethodItem) => added?.getTime() ?? 0
  return [...passkeys.sort((one, other) => time(other) - time(one)), ...accounts]
}

export async function showMethods(ctx: PasswordContext): Promise<Reply> {
  const managed = await requireReviewer(ctx)
  const html = methodsPage({
    ...describeSite(ctx),
    action: `${ctx.origin}${ctx.config.basePath}/password/methods`,
    hidden: { csrfToken: await issueCsrfToken(ctx) },
    items: await listItems(managed),
    isRemoved: ctx.request.url.searchParams.has('removed'),
    homeUrl: ctx.origin,
  })
  return { status: 200, html }
}

/** The field `passkey`, or `provider` and `account`. A method that is gone already counts as removed. */
export async function removeMethod(ctx: PasswordContext): Promise<Reply> {
  const managed = await requireReviewer(ctx)
  const { passkey, provider, account } = ctx.request.body
  if (typeof passkey === 'string') await removePasskey(managed, passkey)
  else if (typeof provider === 'string' && typeof account === 'string')
    await unlinkAccount(managed, { provider, providerAccountId: account }, {})
  const redirect = `${ctx.origin}${ctx.config.basePath}/password/methods?removed=1`
  return { status: 302, redirect }
}
