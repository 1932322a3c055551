/** Functions for the account of the user of a request. */
import type {
  LinkAccountOptions,
  LinkedAccount,
  LinkedAccountKey,
  MergeUserOptions,
  PendingEmail,
  UnlinkAccountOptions,
} from '../../core/account/account-info.ts'
import {
  linkOwn,
  listOwn,
  mergeOwn,
  removeOwn,
  unlinkOwn,
} from '../../core/account/manage-account.ts'
import { cancelEmailOwn, changeEmailOwn, pendingEmailOwn } from '../../core/account/own-email.ts'
import { readOptions } from '../../core/http/call-options.ts'
import { callerOf, returnUrl } from './calls.ts'
import type { CallContext } from './calls.ts'
import { runCall } from './session-calls.ts'

export async function listAccounts<Req extends object>(
  req: Req,
  context: CallContext<Req>,
): Promise<LinkedAccount[] | null> {
  return runCall(req, context, listOwn)
}

/** The arguments of `link`. */
export interface LinkArgs {
  readonly provider: string
  readonly options?: LinkAccountOptions | undefined
}

/** Returns where to redirect. @throws SessionRequired, StepUpRequired */
export async function linkAccount<Req extends object>(
  req: Req,
  args: LinkArgs,
  context: CallContext<Req>,
): Promise<string> {
  const call = { ...args, returnUrl: () => returnUrl(req, readOptions({}), context) }
  const caller = callerOf(req, context)
  const { value, cookies } = await linkOwn(caller, await context.configFor(req), call)
  context.cookies.set(req, cookies)
  return value
}

/** Returns where to redirect. @throws SessionRequired, StepUpRequired */
export async function mergeUser<Req extends object>(
  req: Req,
  options: MergeUserOptions | undefined,
  context: CallContext<Req>,
): Promise<string> {
  const call = { options, returnUrl: () => returnUrl(req, readOptions({}), context) }
  return runCall(req, context, (request, config) => mergeOwn(request, config, call))
}

/** The arguments of `unlink`. */
export interface UnlinkArgs {
  readonly key: LinkedAccountKey
  readonly options?: UnlinkAccountOptions | undefined
}

/** @throws LastSignInMethod, SessionRequired, StepUpRequired */
export async function unlinkAccount<Req extends object>(
  req: Req,
  { key, options }: UnlinkArgs,
  context: CallContext<Req>,
): Promise<LinkedAccount | null> {
  return runCall(req, context, (request, config) => unlinkOwn(request, config, key, options))
}

/** @throws AccountRemovalError, SessionRequired, StepUpRequired */
export async function removeUser<Req extends object>(
  req: Req,
  context: CallContext<Req>,
): Promise<void> {
  return runCall(req, context, removeOwn)
}

/** @throws InvalidRequest, TooManyAttempts, AccountMailError, SessionRequired, StepUpRequired */
export async function changeEmail<Req extends object>(
  req: Req,
  to: string,
  context: CallContext<Req>,
): Promise<PendingEmail> {
  return runCall(req, context, (request, config) => changeEmailOwn(request, config, to))
}

export async function pendingEmail<Req extends object>(
  req: Req,
  context: CallContext<Req>,
): Promise<PendingEmail | null> {
  return runCall(req, context, pendingEmailOwn)
}

export async function cancelEmail<Req extends object>(
  req: Req,
  context: CallContext<Req>,
): Promise<boolean> {
  return runCall(req, context, cancelEmailOwn)
}
