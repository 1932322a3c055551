/** The step-ups, and second steps, in which errors occurred: their page shows them, not the sign-in page. */
import type { StepUp } from '../evidence.ts'

interface FailedStepUp {
  readonly stepUp: StepUp
  readonly returnTo: string
}

type Failed = FailedStepUp | 'second step'

const failed: WeakMap<object, Failed> = new WeakMap()

export function noteStepUp(error: object, stepUp: StepUp, returnTo: string): void {
  failed.set(error, { stepUp, returnTo })
}

/** The second step of a sign-in, which a cookie contains. */
export function noteSecondStep(error: object): void {
  failed.set(error, 'second step')
}

export function readFailedStepUp(error: object): Failed | undefined {
  return failed.get(error)
}
