/** A step-up: the user of a session authenticates again, because the session does not meet a requirement. */
import type { SessionContext, Subject } from '../contracts.ts'
import type { StepUp } from '../evidence.ts'
import { open, seal } from '../crypto/seal.ts'
import { InvalidCheck, StepUpRequired } from '../errors/classes.ts'
import { pageUrl } from '../http/path.ts'
import { isRecord } from '../is-record.ts'
import type { AuthRequirement } from './assured.ts'
import { assuranceOf, meets } from './requirement.ts'

const KEY = { salt: 'lib.step-up', family: 'internal' } as const

/** Seconds for which the page of a step-up can be used. */
const MAX_AGE = 15 * 60
/** The same for a merge of two users, with the sign-in of the other one. */
const MERGE_AGE = 10 * 60

/** The field of forms, and the parameter of the page. */
export const FIELD = 'stepUp'

export async function createStepUp(subject: Subject, need: AuthRequirement): Promise<StepUp> {
  return { user: subject.id, sid: await subject.sid(), need }
}

/** A step-up in which the other user signs in. */
export async function createMerge(subject: Subject): Promise<StepUp> {
  return { ...(await createStepUp(subject, {})), mergesUntil: Date.now() + MERGE_AGE * 1000 }
}

async function sealStepUp({ config }: SessionContext, stepUp: StepUp): Promise<string> {
  return seal({ ...stepUp }, { secrets: config.secrets, ...KEY, maxAge: MAX_AGE })
}

/** The page of the step-up, with the requirement sealed. */
export async function stepUpUrl(
  ctx: SessionContext,
  stepUp: StepUp,
  returnTo: string | undefined,
): Promise<string> {
  const url = pageUrl('stepUp', ctx)
  url.searchParams.set(FIELD, await sealStepUp(ctx, stepUp))
  // A page of the application cannot read it from the sealed value.
  if (stepUp.mergesUntil !== undefined) url.searchParams.set('purpose', 'merge')
  if (returnTo !== undefined) url.searchParams.set('callbackUrl', returnTo)
  return url.href
}

/**
 * The page once more, if the session that the step-up has created does not meet the requirement either; `null` if it does.
 * Otherwise the page that requires it would lead the user here without a word.
 */
export async function insufficientUrl(
  ctx: SessionContext,
  { need }: StepUp,
  returnTo: string,
): Promise<string | null> {
  const subject = await ctx.config.session.subject(ctx)
  if (!subject || (await meets(assuranceOf(subject), need))) return null
  const url = new URL(await stepUpUrl(ctx, await createStepUp(subject, need), returnTo))
  url.searchParams.set('error', 'StepUpRequired')
  url.searchParams.set('code', 'insufficient')
  return url.href
}

async function openStepUp({ config }: SessionContext, sealed: unknown): Promise<StepUp | null> {
  if (typeof sealed !== 'string' || !sealed) return null
  const claims = await open(sealed, { secrets: config.secrets, ...KEY })
  if (!claims) return null
  const { user, sid, need, mergesUntil } = claims
  // The requirement was validated before it was sealed.
  if (typeof user !== 'string' || typeof sid !== 'string' || !isRecord(need)) return null
  return typeof mergesUntil === 'number' ? { user, sid, need, mergesUntil } : { user, sid, need }
}

/** The step-up that a text seals; `null` if it has expired, was altered, or is of another session. */
export async function readStepUp(
  ctx: SessionContext,
  sealed: unknown,
  subject: Subject | null,
): Promise<StepUp | null> {
  const stepUp = await openStepUp(ctx, sealed)
  if (!stepUp || !subject || !subject.id) return null
  return stepUp.user === subject.id && stepUp.sid === (await subject.sid()) ? stepUp : null
}

/** The step-up of a form. @throws InvalidCheck, so that an altered form is not an ordinary sign-in */
export async function requestedStepUp(
  ctx: SessionContext & { readonly request: { readonly body: Readonly<Record<string, unknown>> } },
): Promise<StepUp | undefined> {
  const sealed = ctx.request.body[FIELD]
  if (sealed === undefined) return undefined
  const stepUp = await readStepUp(ctx, sealed, await ctx.config.session.subject(ctx))
  if (stepUp) return stepUp
  throw new InvalidCheck(
    'The confirmation of a user has expired, or belongs to another session. Open the page that requires it again.',
  )
}

/** The error of a merge in which the user of the session has signed in again. */
export function sameUser(provider: string): StepUpRequired {
  return new StepUpRequired(
    'The same user has signed in as the one of the session, so there is nothing to merge.',
    { provider, code: 'same_user' },
  )
}

/** The error of a sign-in as another user than the one who was asked to confirm. */
export function anotherUser(provider: string): StepUpRequired {
  return new StepUpRequired(
    'Another user has signed in than the one of the session, so the session stays as it was.',
    { provider, code: 'other_user' },
  )
}
