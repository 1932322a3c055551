/** The step-ups, and second steps, in which errors occurred: their page shows them, not the sign-in page. */
import type { StepUp } from '../evidence.ts'

interface FailedStepUp {
  readonly stepUp: StepUp
  readonly returnTo: string
}

/** The page of the second step: for the code of an app, or a recovery code. */
export type SecondStepKind = 'app' | 'recovery'

type Failed = FailedStepUp | SecondStepKind

const failed: WeakMap<object, Failed> = new WeakMap()

export function noteStepUp(error: object, stepUp: StepUp, returnTo: string): void {
  failed.set(error, { stepUp, returnTo })
}

/** The second step of a sign-in, which a cookie contains. */
export function noteSecondStep(error: object, kind: SecondStepKind): void {
  failed.set(error, kind)
}

export function readFailedStepUp(error: object): Failed | undefined {
  return failed.get(error)
}
