/** Restores `Request` and `Response` after each file, because `@hono/node-server` replaces them for the whole process. */
import { afterAll } from 'vitest'

const platform = { Request, Response }

export function restorePlatformClasses(): void {
  for (const [name, value] of Object.entries(platform))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}

afterAll(restorePlatformClasses)
