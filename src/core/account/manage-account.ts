/** What users do with their own account, and the application with that of any user. */
import { createMerge, stepUpUrl } from '../assurance/step-up.ts'
import { answer } from '../call-result.ts'
import type { Answer } from '../call-result.ts'
import { callRoute } from '../call-route.ts'
import type { RouteCaller } from '../call-route.ts'
import { describeValue } from '../config/describe-value.ts'
import type { AuthConfig } from '../config/types.ts'
import { InvalidConfiguration, InvalidRequest, SessionRequired } from '../errors/classes.ts'
import type { ReadRequest } from '../http/read-headers.ts'
import { requireMergeable } from '../identity/merge-users.ts'
import { isRecord } from '../is-record.ts'
import type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  UnlinkAccountOptions,
} from './account-info.ts'
import { change, findManaged } from './account-owner.ts'
import type { CallContext } from './account-owner.ts'
import { listAccounts } from './list-accounts.ts'
import type { ManagedUser } from './managed-user.ts'
import { removeUser } from './remove-user.ts'
import { unlinkAccount } from './unlink-account.ts'

function parseKey(key: unknown): LinkedAccountKey {
  const { provider, providerAccountId }: Readonly<Record<string, unknown>> = isRecord(key)
    ? key
    : {}
  if (typeof provider === 'string' && typeof providerAccountId === 'string')
    return { provider, providerAccountId }
  throw new InvalidRequest(
    `The key of an account is not an object with provider and providerAccountId (got ${describeValue(key)}).`,
  )
}

export function listOwn(
  caller: ReadRequest,
  config: AuthConfig,
): Promise<Answer<LinkedAccount[] | null>> {
  return answer({ caller, config, access: 'reads' }, async (ctx) => {
    const managed = await findManaged(ctx, await ctx.config.session.readSubject(ctx))
    return managed && listAccounts(managed)
  })
}

export function unlinkOwn(
  caller: ReadRequest,
  config: AuthConfig,
  key: LinkedAccountKey,
  options: UnlinkAccountOptions = {},
): Promise<Answer<LinkedAccount | null>> {
  return change(caller, config, 'account.unlink', async (managed) =>
    unlinkAccount(managed, parseKey(key), options),
  )
}

export function removeOwn(caller: ReadRequest, config: AuthConfig): Promise<Answer<void>> {
  return change(caller, config, 'account.remove', removeUser)
}

/** What a caller of `linkAccount` passes. */
export interface LinkCall {
  readonly provider: string
  readonly options?: LinkAccountOptions | undefined
  /** Where the user returns without `redirectTo`. */
  readonly returnUrl: () => string
}

function checkProvider({ config: { providers } }: CallContext, id: string): void {
  const canLink = (each: string) => providers.get(each)?.tokens !== undefined
  if (canLink(id)) return
  const ids = providers.ids.filter(canLink)
  throw new InvalidConfiguration(
    `${describeValue(id)} is not the id of a provider of type oauth or oidc, whose accounts can be linked. Configured ids: ${ids.join(', ') || 'none'}.`,
  )
}

/** Returns the URL of the authorization request, and the cookies of its transaction. */
export async function linkOwn(
  request: RouteCaller,
  config: AuthConfig,
  { provider, options = {}, returnUrl }: LinkCall,
): Promise<Answer<string>> {
  const { cookies: renewed } = await change(request, config, 'account.link', async ({ ctx }) =>
    checkProvider(ctx, provider),
  )
  const { redirect, cookies } = await callRoute(request, config, {
    path: `signin/${provider}`,
    body: new URLSearchParams({ callbackUrl: options.redirectTo ?? returnUrl() }),
    failures: 'redirected',
  })
  return { value: redirect, cookies: [...renewed, ...cookies] }
}

/** Returns the page on which the other user signs in. */
export function mergeOwn(
  request: ReadRequest,
  config: AuthConfig,
  { options = {}, returnUrl }: Omit<LinkCall, 'provider'>,
): Promise<Answer<string>> {
  return change(request, config, 'account.merge', async (managed) => {
    const { ctx, current } = managed
    await requireMergeable(managed)
    if (!current)
      throw new SessionRequired('A merge of users begins in the session of one of them.')
    return stepUpUrl(ctx, await createMerge(current), options.redirectTo ?? returnUrl())
  })
}

export function unlinkOf(
  managed: ManagedUser,
  key: LinkedAccountKey,
  options: UnlinkAccountOptions = {},
): Promise<LinkedAccount | null> {
  return unlinkAccount(managed, parseKey(key), options)
}
