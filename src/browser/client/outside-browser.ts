import { InvalidConfiguration } from '../../core/errors/classes.ts'

export function rejectCall(name: string): never {
  throw new InvalidConfiguration(
    `${name}() was called outside a browser, where it cannot set cookies. Call it in an event handler in the browser. In a server action or route handler, call ${name}() of your configuration.`,
  )
}
