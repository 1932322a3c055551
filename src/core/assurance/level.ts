/** How strongly a user was authenticated, by the names of RFC 8176; `fed` (a provider) and `email` are ours. */

/** 1: any sign-in. 2: two different kinds of factor, or a provider that is trusted to have checked them. */
export type AssuranceLevel = 1 | 2

/** What only the user knows, has, or is. The mailbox and a passkey are things that the user has. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  knowledge: ['pwd', 'pin', 'kba'],
  possession: ['otp', 'hwk', 'swk', 'pop', 'sc', 'sms', 'tel', 'email'],
  inherence: ['face', 'fpt', 'iris', 'retina', 'vbm'],
}

/** Several factors in one step: a passkey with user verification, or what a trusted provider states. */
export const SEVERAL_FACTORS = 'mfa'

export function levelOf(amr: readonly string[]): AssuranceLevel {
  if (amr.includes(SEVERAL_FACTORS)) return 2
  const kinds = Object.values(KINDS).filter((names) => names.some((name) => amr.includes(name)))
  return kinds.length > 1 ? 2 : 1
}

const STATED: ReadonlySet<unknown> = new Set(
  [SEVERAL_FACTORS, ...Object.values(KINDS).flat()].filter((name) => name !== 'email'),
)

/** The names in the claim `amr` that count; others, such as `geo`, prove no factor. Some providers send one text. */
export function statedMethods(claim: unknown): readonly string[] {
  const names: readonly unknown[] = [claim].flat().slice(0, 20)
  return [...new Set(names)].filter((name): name is string => STATED.has(name)).slice(0, 4)
}
