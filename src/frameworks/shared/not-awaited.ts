/** Reports, in development, promises of `auth` and `protect` that the application does not await. */
import type { LogSettings } from '../../core/log/logger.ts'
import { createLogger } from '../../core/log/logger.ts'

/** A function whose promise decides whether a page is sent. */
export type Decision = 'auth' | 'getSession' | 'protect'

const CONSEQUENCES: Readonly<Record<Decision, string>> = {
  auth: 'a promise is never null, so if (!auth()) admits every visitor',
  getSession: 'a promise is never null, so if (!getSession()) admits every visitor',
  protect: 'the page does not wait for the decision, and is sent to every visitor',
}

/** Observes subscriptions: `await`, `then` and `Promise.all` read this member (ECMA-262 §27.2.4.7.1 and §27.2.5.4). */
class ObservedPromise<T> extends Promise<T> {
  isAwaited = false

  override get ['constructor'](): PromiseConstructor {
    this.isAwaited = true
    return Promise
  }
}

/** A render of React continues in the next turn of the event loop, and then subscribes to the promises in props. */
function afterNextTurn(check: () => void): void {
  setTimeout(() => setTimeout(check))
}

/** The function in which the promise was made, with its position. */
function placeOf({ stack = '' }: Error): string {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line))
  return frame === undefined ? '' : ` It was called ${frame.trim()}.`
}

/**
 * Warns once for each place of a call whose promise has no subscriber at the end of the turn in which it was made, and
 * of the next one.
 */
export function reportNotAwaited<F extends (...args: never[]) => unknown>(
  name: Decision,
  call: F,
  settings: LogSettings,
): F {
  return new Proxy(call, {
    apply: function observe(target, self, args): unknown {
      const result: unknown = Reflect.apply(target, self, args)
      if (!(result instanceof Promise)) return result
      const made = new Error(name)
      // Its first frame is then that of the caller; only some engines have the function.
      Error.captureStackTrace?.(made, observe)
      const promise = new ObservedPromise((resolve) => resolve(result))
      afterNextTurn(() => {
        if (promise.isAwaited) return
        createLogger(settings).warnOnce(
          'not-awaited',
          `The promise of ${name}() was not awaited: ${CONSEQUENCES[name]}. Write: await ${name}(…).${placeOf(made)} If it is awaited later, call .catch(() => undefined) on it at once; until it is awaited, a rejection ends the process.`,
        )
      })
      return promise
    },
  })
}
