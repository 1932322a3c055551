/** The page on which the user of a session confirms who they are. */
import { createStepUp, readStepUp, stepUpUrl } from '../assurance/step-up.ts'
import { issueCsrfToken } from '../checks/csrf.ts'
import { findPasswords } from '../checks/find-passwords.ts'
import { resolveReturnUrl } from '../checks/return-to.ts'
import { deleteSealedCookie, readForm } from '../checks/sealed-cookie.ts'
import type { BoundProvider, Context, Reply, Subject } from '../contracts.ts'
import type { StepUp } from '../evidence.ts'
import { InvalidProvider } from '../errors/classes.ts'
import { builtInPageUrl, isSamePage, pageUrl } from '../http/path.ts'
import { parseAddress } from '../identity/mail-address.ts'
import { describeSite } from '../pages/layout.ts'
import { stepUpPage } from '../pages/step-up-page.ts'
import type { SignInChoice } from '../pages/sign-in-content.ts'
import { loadChoices } from './choices.ts'

export { requestedStepUp } from '../assurance/step-up.ts'

/** What is known of how the user signs in. */
interface Known {
  readonly via: string | null
  /** Ids of providers; `null`: unknown. */
  readonly accounts: ReadonlySet<string> | null
  readonly hasPasskey: boolean
  /** One of the provider `Password`; `null`: unknown. */
  readonly hasPassword: boolean | null
  readonly address: string | null
}

async function findKnown(ctx: Context, subject: Subject): Promise<Known> {
  const { id, label, user } = subject
  const via = subject.facts()?.via ?? null
  const address = parseAddress(user?.email ?? label ?? '')
  const database = subject.isStored === true ? await ctx.config.database?.() : undefined
  if (!database) return { via, accounts: null, hasPasskey: false, hasPassword: null, address }
  const accounts = (await database.has('listAccounts'))
    ? new Set((await database.call(ctx, 'listAccounts', id)).map(({ provider }) => provider))
    : null
  const hasPasskey =
    (await database.has('listAuthenticatorsByUserId')) &&
    (await database.call(ctx, 'listAuthenticatorsByUserId', id)).length > 0
  const hasPassword = findPasswords(ctx)
    ? (await database.call(ctx, 'getPassword', id)) !== null
    : null
  return { via, accounts, hasPasskey, hasPassword, address }
}

/** Whether the user can confirm with it who they are, as far as that is known. */
function isOffered(
  { id, type, offer, statesContext, passwords }: BoundProvider,
  { need, mergesUntil }: StepUp,
  { via, accounts, hasPasskey, hasPassword, address }: Known,
): boolean {
  // The other user may sign in with anything.
  if (mergesUntil !== undefined) return offer.kind !== 'none'
  // Only a provider can state it.
  if (need.acr && !statesContext) return false
  if (type === 'webauthn') return hasPasskey
  if (type === 'email') return address !== null
  if (passwords && hasPassword !== null) return hasPassword
  if (type === 'credentials')
    return offer.kind === 'form' && (via === null || via === id || need.level === 2)
  if (accounts) return accounts.has(id)
  return via === null || via === id
}

/** The user, and what they confirm; a redirect for a visitor, and for a step-up that cannot be used any more. */
async function readRequest(ctx: Context): Promise<{ subject: Subject; stepUp: StepUp } | Reply> {
  const { url } = ctx.request
  const subject = await ctx.config.session.subject(ctx)
  const returnTo = await resolveReturnUrl(ctx)
  if (!subject) {
    const signIn = pageUrl('signIn', ctx)
    signIn.searchParams.set('callbackUrl', returnTo)
    return { status: 302, redirect: signIn.href }
  }
  const sealed = url.searchParams.get('stepUp')
  if (sealed === null) return { subject, stepUp: await createStepUp(subject, {}) }
  const stepUp = await readStepUp(ctx, sealed, subject)
  // The page that requires it begins another one if it is still needed.
  return stepUp ? { subject, stepUp } : { status: 302, redirect: returnTo }
}

interface Requested {
  readonly sealed: string
  readonly returnTo: string
  readonly isMerge: boolean
}

function ownPage(ctx: Context, { sealed, returnTo, isMerge }: Requested): URL | null {
  if (!ctx.config.pages.stepUp) return null
  const url = pageUrl('stepUp', ctx)
  if (isSamePage(url, builtInPageUrl('stepUp', ctx))) return null
  const given = ctx.request.url.searchParams
  const purpose = isMerge ? 'merge' : null
  const query = { stepUp: sealed, purpose, callbackUrl: returnTo, error: given.get('error') }
  for (const [name, value] of Object.entries({ ...query, code: given.get('code') }))
    if (value !== null) url.searchParams.set(name, value)
  return url
}

export async function showStepUp(ctx: Context): Promise<Reply> {
  const read = await readRequest(ctx)
  if ('status' in read) return read
  const { subject, stepUp } = read
  const { origin, request, config } = ctx
  const returnTo = await resolveReturnUrl(ctx)
  const sealed = new URL(await stepUpUrl(ctx, stepUp, returnTo)).searchParams.get('stepUp') ?? ''
  const isMerge = stepUp.mergesUntil !== undefined
  const own = ownPage(ctx, { sealed, returnTo, isMerge })
  if (own) return { status: 302, redirect: own.href }
  const known = await findKnown(ctx, subject)
  const choices = (await loadChoices(ctx)).filter(({ provider }) =>
    isOffered(provider, stepUp, known),
  )
  config.providers.preload()
  const passkey = choices.find(({ provider }) => provider.passkeyPage)
  const loaded = await passkey?.provider.passkeyPage?.()
  const { searchParams: query } = request.url
  const error = query.get('error')
  const rejected = error === null ? null : await readForm(ctx)
  deleteSealedCookie(ctx, 'form')
  return {
    status: 200,
    html: stepUpPage({
      choices: choices satisfies readonly SignInChoice[],
      hidden: {
        csrfToken: await issueCsrfToken(ctx),
        callbackUrl: returnTo,
        stepUp: sealed,
      },
      error,
      code: query.get('code'),
      retryAfter: Number(/^\d{1,5}$/.exec(query.get('retryAfter') ?? '')?.[0]),
      rejected,
      address: known.address,
      label: subject.label,
      isMerge,
      homeUrl: isMerge ? returnTo : origin,
      signOutUrl: pageUrl('signOut', ctx).href,
      passkeys: loaded && { routesUrl: origin + config.basePath, isSignedIn: true, ...loaded },
      ...describeSite(ctx),
    }),
  }
}

/** Begins a step-up with the provider of the field `provider`: for pages of the application that know only its id. */
export async function startStepUp(ctx: Context): Promise<Reply> {
  const { origin, config, request } = ctx
  const { provider: id } = request.body
  const provider = typeof id === 'string' ? config.providers.get(id) : undefined
  if (!provider)
    throw new InvalidProvider(
      'A form of the route step-up needs the field "code" for the second step, or the field "provider" with the id of a configured provider.',
    )
  const isOneStep = provider.type === 'credentials' || provider.type === 'webauthn'
  const route = isOneStep ? 'callback' : 'signin'
  // With the same body (RFC 9110 §15.4.8).
  return { status: 307, redirect: `${origin}${config.basePath}/${route}/${provider.id}` }
}
