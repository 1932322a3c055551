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

/** Files that Next.js writes, whose positions do not lead to the source. */
const COMPILED = /[\\/](?:\.next|server[\\/]chunks)[\\/]/

/** The function in which the promise was made, with its position unless it is one of compiled code. */
function describePlace({ stack = '' }: Error, name: Decision): string {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line))
  if (frame === undefined) return ''
  if (!COMPILED.test(frame)) return ` It was called ${frame.trim()}.`
  const [, caller] = /^\s+at (?:async )?([^\s(]+) \(/.exec(frame) ?? []
  const place = caller === undefined ? '' : ` in the function ${caller}`
  return ` It was called${place}. Search the source for ${name}( without await.`
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
          `The promise of ${name}() was not awaited: ${CONSEQUENCES[name]}. Write: await ${name}(…).${describePlace(made, name)} If you await it later on purpose, call .catch(() => undefined) on it at once: otherwise an error before the await ends the process.`,
        )
      })
      return promise
    },
  })
}
