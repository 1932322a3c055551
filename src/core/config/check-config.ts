import { InvalidConfiguration } from '../errors/classes.ts'

/** @param usage - the call of the application, as in `getSession(request, config)` */
export function checkConfig(config: unknown, usage: string): void {
  if (typeof config !== 'object' || config === null)
    throw new InvalidConfiguration(
      `The configuration is missing. Pass it as the second argument: ${usage}.`,
    )
}
