/** What a session keeps of the sign-in that creates it. */
import { SEVERAL_FACTORS, levelOf } from '../assurance/level.ts'
import { meets, storedAcr } from '../assurance/requirement.ts'
import type { Context, Evidence, ProvisionedUser, Subject } from '../contracts.ts'
import type { StepUp } from '../evidence.ts'
import type { Proof, SessionFacts } from '../session/facts.ts'

function methodsOf(evidence: Evidence): readonly string[] {
  switch (evidence.proves) {
    case 'account':
      return ['fed', ...(evidence.assurance?.amr ?? [])]
    case 'address':
      return ['email']
    // What a form without a password asks for is not known.
    case 'user':
      return evidence.hasPassword ? ['pwd'] : []
    case 'passkey': {
      const { credentialDeviceType } = evidence.passkey.authenticator
      const key = credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk'
      return evidence.isUserVerified ? [key, SEVERAL_FACTORS] : [key]
    }
  }
}

async function readProof(evidence: Evidence): Promise<Proof> {
  const { authTime, acr } = (evidence.proves === 'account' && evidence.assurance) || {}
  return {
    amr: methodsOf(evidence),
    acr: acr === undefined ? undefined : await storedAcr(acr),
    authTime,
  }
}

/** The sign-in has added an account or a passkey to an existing user. */
function isAddition({ events, isNewUser }: ProvisionedUser): boolean {
  return isNewUser !== true && events.some(({ event }) => event === 'linkAccount')
}

function describe({ amr, acr, authTime }: Proof, now: number) {
  return { level: levelOf(amr), acr: acr ?? null, authTime: new Date(authTime ?? now) }
}

/** What the proof of a step-up and the sign-in before it prove together: as old as the older one. */
async function withEarlier(proof: Proof, { need }: StepUp, earlier: SessionFacts): Promise<Proof> {
  const now = Date.now()
  if (await meets(describe(proof, now), need)) return proof
  const authTime = Math.min(proof.authTime ?? now, earlier.authTime ?? earlier.startedAt)
  const both = { ...proof, amr: [...new Set([...earlier.amr, ...proof.amr])], authTime }
  return (await meets(describe(both, now), need)) ? both : proof
}

/** An account that was just added proves nothing about the user: an attacker with a stolen session can add one. */
function ofAddition(evidence: Evidence, before: Subject | null): Proof {
  if (!before && evidence.proves === 'account') return { amr: ['fed'] }
  const facts = before?.facts()
  return {
    amr: facts?.amr ?? [],
    acr: facts?.acr,
    authTime: facts ? (facts.authTime ?? facts.startedAt) : (before?.since?.getTime() ?? 0),
  }
}

/** What the sign-in itself proves, before any second step. */
export async function firstProof(
  ctx: Context,
  evidence: Evidence,
  provisioned: ProvisionedUser,
): Promise<Proof> {
  if (!isAddition(provisioned)) return readProof(evidence)
  const current = await ctx.config.session.subject(ctx)
  return ofAddition(evidence, current?.id === provisioned.user.id ? current : null)
}

interface SignInState {
  readonly provisioned: ProvisionedUser
  readonly stepUp: StepUp | undefined
  /** What the sign-in proves. */
  readonly proof: Proof
  readonly lifetime: Pick<SessionFacts, 'idle' | 'absolute' | 'keep'>
}

async function withStepUp(
  ctx: Context,
  { provisioned, proof, stepUp }: SignInState,
): Promise<Proof> {
  if (!stepUp || isAddition(provisioned)) return proof
  const current = await ctx.config.session.subject(ctx)
  const earlier = current?.facts()
  const isSame = current && stepUp.sid === (await current.sid())
  return isSame && earlier ? withEarlier(proof, stepUp, earlier) : proof
}

export async function sessionFacts(
  ctx: Context,
  { account }: Pick<Evidence, 'account'>,
  state: SignInState,
): Promise<SessionFacts> {
  return {
    startedAt: Date.now(),
    via: account.provider,
    ...(await withStepUp(ctx, state)),
    ...state.lifetime,
  }
}
