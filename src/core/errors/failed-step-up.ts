/** The step-ups in which errors occurred: the page of the step-up shows them, not the sign-in page. */
import type { StepUp } from '../evidence.ts'

interface FailedStepUp {
  readonly stepUp: StepUp
  readonly returnTo: string
}

const failed: WeakMap<object, FailedStepUp> = new WeakMap()

export function noteStepUp(error: object, stepUp: StepUp, returnTo: string): void {
  failed.set(error, { stepUp, returnTo })
}

export function readFailedStepUp(error: object): FailedStepUp | undefined {
  return failed.get(error)
}
