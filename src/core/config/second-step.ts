import { isRecord } from '../is-record.ts'
import { describeKind, mismatch } from './describe-value.ts'
import type { AuthConfig } from './types.ts'

const SHORTEST: number = 60 * 60
const LONGEST: number = 90 * 24 * 60 * 60

export function* secondStepProblems({
  secondStep,
  adapter,
  protection,
}: AuthConfig): Iterable<string> {
  if (secondStep === undefined) return
  if (!isRecord(secondStep)) {
    yield `${mismatch('secondStep', 'an object', secondStep)} Write secondStep: {}.`
    return
  }
  const { required, rememberDevice: seconds }: Readonly<Record<string, unknown>> = secondStep
  if (required !== undefined && typeof required !== 'function')
    yield `secondStep.required is not a function (got ${describeKind(required)}). Write required: ({ user }) => isStaff(user.id).`
  if (seconds !== undefined) {
    if (!(typeof seconds === 'number' && seconds >= SHORTEST && seconds <= LONGEST))
      yield mismatch(
        'secondStep.rememberDevice',
        `a number of seconds from ${SHORTEST} to ${LONGEST}`,
        seconds,
      )
    if (protection === 'off' || (isRecord(protection) && protection['knownBrowsers'] === 'off'))
      yield 'secondStep.rememberDevice needs known browsers, which protection switches off. Remove rememberDevice, or set protection.knownBrowsers to "remembered".'
  }
  if (!adapter)
    yield 'secondStep is set without adapter. Second factors are stored in a database: set adapter.'
}
