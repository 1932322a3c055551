/** What a part of an application requires of the sign-in, and whether a session meets it. */
import type { Subject } from '../contracts.ts'
import { sha256 } from '../crypto/digest.ts'
import type { Assurance, AuthRequirement } from './assured.ts'
import { levelOf } from './level.ts'

/** Other values are stored as a hash, which compares as well: key columns are short, and `!` separates facts in them. */
const STORED_ACR = /^[\x22-\x7e]{1,32}$/

export async function storedAcr(acr: string): Promise<string> {
  return STORED_ACR.test(acr) ? acr : (await sha256(acr, 'base64url')).slice(0, 22)
}

/** The jwt callback has assigned the session to another user than at the sign-in: the marks of the sign-in are gone. */
function isImpersonated({ isUser, isStored }: Subject): boolean {
  return isUser && isStored === null
}

export function assuranceOf(subject: Subject): Assurance {
  const facts = subject.facts()
  if (!facts) {
    const authTime = isImpersonated(subject) ? null : subject.since
    return { level: 1, amr: [], acr: null, authTime, via: null }
  }
  const { amr, acr = null, startedAt, authTime = startedAt, via } = facts
  return { level: levelOf(amr), amr, acr, authTime: authTime ? new Date(authTime) : null, via }
}

/** Milliseconds by which the clock of the process that signed the user in may be ahead. */
const CLOCK_TOLERANCE = 60_000

function isFresh({ authTime }: Pick<Assurance, 'authTime'>, maxAge: number): boolean {
  if (!authTime) return false
  const age = Date.now() - authTime.getTime()
  return age >= -CLOCK_TOLERANCE && age <= maxAge * 1000
}

/** Unknown never meets a requirement. */
export async function meets(
  assurance: Pick<Assurance, 'level' | 'acr' | 'authTime'>,
  { level = 1, maxAge, acr }: AuthRequirement,
): Promise<boolean> {
  if (assurance.level < level) return false
  if (maxAge !== undefined && !isFresh(assurance, maxAge)) return false
  if (!acr) return true
  return assurance.acr !== null && (await Promise.all(acr.map(storedAcr))).includes(assurance.acr)
}
