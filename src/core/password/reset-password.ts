/** Users who have forgotten their password choose a new one with a link that they receive by e-mail. */
import type { Reply } from '../contracts.ts'
import type { AdapterUser, StoredPassword } from '../database/adapter.ts'
import { Verification } from '../errors/classes.ts'
import { isSameAddress } from '../identity/case-folding.ts'
import { evict } from '../identity/evict.ts'
import { limitFailures } from '../limits/consume.ts'
import { sendAccountMail } from '../mail/send.ts'
import type { MailContext } from '../mail/send.ts'
import { acceptPassword } from './accept-password.ts'
import { findOwner } from './find-owner.ts'
import type { Owner } from './find-owner.ts'
import { createLink, deleteLink, linkUrl, openLink } from './links.ts'
import type { OpenedLink } from './links.ts'
import type { PasswordContext } from './password-context.ts'
import { replacePassword } from './replace-password.ts'
import { hasOtherMethods } from './review-methods.ts'
import { readAddress, sendLimited, sentUrl } from './send-limited.ts'

/** Seconds for which a link is valid. */
const MAX_AGE: number = 30 * 60

function changedOf(password: StoredPassword | null): number | null {
  return password?.changed.getTime() ?? null
}

async function mailLink(
  ctx: MailContext,
  address: string,
  { owner, noOwnerUrl }: { readonly owner: Owner | null; readonly noOwnerUrl: string },
): Promise<void> {
  const claims = {
    user: owner?.user.id ?? null,
    email: address,
    changed: changedOf(owner?.password ?? null),
  }
  const { token, expires } = await createLink(ctx, 'reset', { ...claims, maxAge: MAX_AGE })
  const url = owner ? linkUrl(ctx, 'reset', token) : noOwnerUrl
  try {
    await sendAccountMail(ctx, {
      kind: 'reset',
      to: address,
      user: owner?.user ?? null,
      url,
      expires,
    })
  } catch (error) {
    await deleteLink(ctx, 'reset', token)
    throw error
  }
}

/** The link of {@link requestReset}, for the application. @throws AccountMailError */
export async function sendReset(
  ctx: MailContext,
  user: AdapterUser,
  password: StoredPassword | null,
): Promise<void> {
  await mailLink(ctx, user.email, { owner: { user, password }, noOwnerUrl: '' })
}

/** An address without a user receives a mail that says so: the response and the work are the same. */
export async function requestReset(ctx: PasswordContext): Promise<Reply> {
  const address = readAddress(ctx)
  return sendLimited(ctx, {
    address,
    redirect: sentUrl(ctx, 'forgot'),
    send: async () => {
      const owner = await findOwner(ctx, address)
      await mailLink(ctx, address, {
        owner,
        noOwnerUrl: `${ctx.origin}${ctx.config.basePath}/signin`,
      })
    },
  })
}

export interface ResetLink {
  readonly link: OpenedLink
  readonly user: AdapterUser
  readonly before: StoredPassword | null
}

/** @throws Verification also if the password or the address was changed since the link was sent */
export async function openResetLink(ctx: PasswordContext, token: unknown): Promise<ResetLink> {
  const link = await openLink(ctx, 'reset', token)
  const { user: id, email, changed } = link.claims
  const user = typeof id === 'string' ? await ctx.query('getUser', id) : null
  const before = user && (await ctx.query('getPassword', user.id))
  const isCurrent =
    user && isSameAddress(user.email, String(email)) && changedOf(before) === changed
  if (isCurrent) return { link, user, before }
  throw new Verification(
    'The link to reset a password is that of an earlier password or address of its user.',
  )
}

/** Ends all sessions, and does not sign in: the user signs in with the new password. */
export async function resetPassword(ctx: PasswordContext): Promise<Reply> {
  return limitFailures(ctx, 'callback', async () => {
    const { token, password: chosen } = ctx.request.body
    const { link, user, before } = await openResetLink(ctx, token)
    const { email, name = null } = user
    const password = await acceptPassword(ctx, chosen, { email, name })
    // An unverified user loses the other methods.
    const hasReview = user.emailVerified && (await hasOtherMethods(ctx, user))
    const review = hasReview ? '?review=1' : ''
    await link.redeem()
    try {
      // The link is the first proof of the address.
      const verified = user.emailVerified ? user : await evict(ctx, user)
      const left = user.emailVerified ? before : null
      const replacement = { user: verified, before: left, password, spare: 'none' } as const
      await replacePassword(ctx, replacement, { kind: 'user', id: user.id })
    } catch (error) {
      await link.restore()
      throw error
    }
    return { status: 302, redirect: `${ctx.origin}${ctx.config.basePath}/password/done${review}` }
  })
}
