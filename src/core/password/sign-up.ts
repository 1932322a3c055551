/** Visitors sign up with an address and a password. Nobody is created before the address is proved. */
import { resolveReturnUrl } from '../checks/return-to.ts'
import { createTransaction, readTransaction } from '../checks/transaction.ts'
import type { TransactionKey } from '../checks/transaction.ts'
import type { Reply } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { AdapterUser } from '../database/adapter.ts'
import { AccessDenied, CredentialsSignin, Verification } from '../errors/classes.ts'
import type { AddressEvidence } from '../evidence.ts'
import { runSignInCallback } from '../hooks.ts'
import { pageUrl } from '../http/path.ts'
import { signIn } from '../identity/sign-in.ts'
import { limitFailures } from '../limits/consume.ts'
import { rememberMailbox } from '../limits/mailbox.ts'
import { consumePassword, readIdentity } from '../limits/password.ts'
import { sendAccountMail } from '../mail/send.ts'
import { acceptPassword } from './accept-password.ts'
import { createLink, deleteLink, linkUrl, openLink } from './links.ts'
import type { OpenedLink } from './links.ts'
import type { PasswordContext } from './password-context.ts'
import { readAddress, sendLimited, sentUrl } from './send-limited.ts'
import { createHash, verifyStored } from './verify-stored.ts'

/** Seconds for which a link is valid. */
const MAX_AGE: number = 24 * 60 * 60
const MAX_NAME = 100

function readName({ request }: PasswordContext): string | null {
  const { name } = request.body
  const text = typeof name === 'string' ? name.trim() : ''
  return text === '' ? null : text.slice(0, MAX_NAME)
}

interface Applicant {
  readonly address: string
  readonly name: string | null
  readonly returnTo: string
}

function evidenceOf(
  { settings }: PasswordContext,
  { address, name, returnTo }: Applicant,
): AddressEvidence {
  const user = { id: crypto.randomUUID(), email: address, name, emailVerified: null }
  const account = {
    providerAccountId: address,
    type: 'credentials',
    provider: settings.id,
  } as const
  return { proves: 'address', address, user, account, returnTo }
}

async function keyOf({ settings }: PasswordContext, token: string): Promise<TransactionKey> {
  const state = await sha256(token, 'base64url')
  return { provider: settings.id, state, from: 'same-site' }
}

/** This browser need not enter the password again. */
async function rememberLink(
  ctx: PasswordContext,
  token: string,
  { address, returnTo }: Applicant,
): Promise<void> {
  const { from, ...key } = await keyOf(ctx, token)
  await createTransaction(ctx, { ...key, address, returnTo }, { from, maxAge: MAX_AGE })
}

/** As for a link that was sent. */
async function askApplication(ctx: PasswordContext, applicant: Applicant): Promise<boolean> {
  const { user, account } = evidenceOf(ctx, applicant)
  const email = { verificationRequest: true } as const
  return (await runSignInCallback(ctx, { user, account, email })) === true
}

/** The fields `email`, `password` and `name`. The response and the work are the same for the address of a user. */
export async function signUp(ctx: PasswordContext): Promise<Reply> {
  const returnTo = await resolveReturnUrl(ctx)
  const name = readName(ctx)
  const address = readAddress(ctx)
  const { password: chosen } = ctx.request.body
  const password = await acceptPassword(ctx, chosen, { email: address, name })
  const applicant = { address, name, returnTo }
  const pretend = () => rememberLink(ctx, crypto.randomUUID(), applicant)
  return sendLimited(ctx, {
    address,
    redirect: sentUrl(ctx, 'sign-up'),
    pretend,
    async send() {
      const hash = await createHash(ctx, ctx.settings, password)
      const user = await ctx.query('getUserByEmail', address)
      if (!(await askApplication(ctx, applicant))) return pretend()
      const { token, expires } = await createLink(ctx, 'sign-up', {
        ...applicant,
        hash,
        isFree: user === null,
        maxAge: MAX_AGE,
      })
      const url = user ? pageUrl('signIn', ctx).href : linkUrl(ctx, 'verify', token)
      try {
        await sendAccountMail(ctx, { kind: 'sign-up', to: address, user, url, expires })
      } catch (error) {
        await deleteLink(ctx, 'sign-up', token)
        throw error
      }
      await rememberLink(ctx, token, applicant)
    },
  })
}

export interface SignUpLink extends Applicant {
  readonly link: OpenedLink
  readonly hash: string
}

/** @throws Verification also if there is a user with the address by now */
export async function openSignUp(ctx: PasswordContext, token: string): Promise<SignUpLink> {
  const link = await openLink(ctx, 'sign-up', token)
  const { address, name, returnTo, hash, isFree } = link.claims
  const isComplete =
    typeof address === 'string' && typeof returnTo === 'string' && typeof hash === 'string'
  if (isComplete && isFree === true && !(await ctx.query('getUserByEmail', address)))
    return { link, address, name: typeof name === 'string' ? name : null, returnTo, hash }
  throw new Verification('A user has the address of the sign-up already.')
}

/** Limited like the sign-ins of the account. @throws CredentialsSignin, TooManyAttempts */
async function checkChosen(
  ctx: PasswordContext,
  { address, hash }: SignUpLink,
  password: unknown,
): Promise<void> {
  const { id } = ctx.settings
  const config = { id, name: id, type: 'credentials', credentials: { email: {} } } as const
  const claimed = [['email', address]]
  const identity = readIdentity(ctx, { config, credentials: { email: address }, claimed })
  const charged = ctx.config.protection && (await consumePassword(ctx, id, identity))
  if ((await verifyStored(ctx, ctx.settings, password, hash)) === 'wrong')
    throw new CredentialsSignin('The password is not the one of the sign-up.')
  await charged?.refund()
}

async function storePassword(
  ctx: PasswordContext,
  { id }: AdapterUser,
  hash: string,
): Promise<void> {
  const isStored = await ctx.query('setPassword', id, { hash, changed: new Date() }, null)
  if (!isStored) throw new AccessDenied('The new user has a password already.')
}

async function complete(ctx: PasswordContext, signUpLink: SignUpLink): Promise<Reply> {
  const { link, hash, address } = signUpLink
  await link.redeem()
  return signIn(ctx, {
    ...evidenceOf(ctx, signUpLink),
    created: (user) => storePassword(ctx, user, hash),
    remember: (userId, subjectId) => rememberMailbox(ctx, address, { userId, subjectId }),
    restore: () => link.restore(),
  })
}

/** Whether this browser has signed up; else the password is needed. */
export async function hasSignedUp(ctx: PasswordContext, token: string): Promise<boolean> {
  return (await readTransaction(ctx, await keyOf(ctx, token))) !== null
}

/** Signs in with the link of a sign-up; `password`: in another browser than that of the sign-up. */
export async function verifySignUp(
  ctx: PasswordContext,
  { token, password }: { readonly token: string; readonly password?: unknown },
): Promise<Reply> {
  return limitFailures(ctx, 'callback', async () => {
    const found = await openSignUp(ctx, token)
    if (!(await hasSignedUp(ctx, token))) await checkChosen(ctx, found, password)
    const reply = await complete(ctx, found)
    await readTransaction(ctx, await keyOf(ctx, token), 'delete')
    return reply
  })
}
