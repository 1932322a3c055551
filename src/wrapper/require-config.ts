import { isPromise } from '../awaitable.ts'
import { describeKind } from '../config/describe-value.ts'
import { InvalidConfiguration } from '../errors/classes.ts'
import { isRecord } from '../is-record.ts'

/** Rejects a missing configuration at the call of the application, not at the first request. @throws InvalidConfiguration */
export function requireConfig(given: unknown, source: 'argument' | 'result'): void {
  if (source === 'argument' && isPromise(given))
    throw new InvalidConfiguration(
      'The configuration is a promise. Pass the function that returns it: Lib(async () => config).',
    )
  if (isRecord(given)) return
  const got = `(got ${describeKind(given)})`
  throw new InvalidConfiguration(
    source === 'result'
      ? `The configuration function returned no configuration ${got}. Return an object from it: Lib(() => ({ providers: [GitHub] })).`
      : `The configuration is missing ${got}. Pass it as the first argument: Lib({ providers: [GitHub] }). If it is imported, check the name of the export, and whether two modules import each other.`,
  )
}
