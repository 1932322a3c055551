import { isPromise } from '../../core/async/awaitable.ts'
import { describeKind } from '../../core/config/describe-value.ts'
import { InvalidConfiguration } from '../../core/errors/classes.ts'
import { isRecord } from '../../core/is-record.ts'

/** Rejects a missing configuration at the call of the application, not at the first request. @throws InvalidConfiguration */
export function requireConfig(given: unknown): void {
  if (isRecord(given) && !isPromise(given)) return
  const kind = isPromise(given) ? 'a promise' : describeKind(given)
  throw new InvalidConfiguration(
    `The configuration of Lib is ${kind}. Write Lib({ providers: [GitHub] }) or Lib(async () => config).`,
  )
}
