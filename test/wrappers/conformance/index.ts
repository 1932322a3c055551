/** What every wrapper has to do, over raw HTTP against a running server of its framework. */
import { describe } from 'vitest'
import { callRows } from './calls.ts'
import { protectRows } from './protect.ts'
import { requestRows } from './requests.ts'
import { sessionRows } from './sessions.ts'
import { signInRows } from './sign-in.ts'
import { opener } from './site.ts'
import type { StartSite } from './site.ts'

/** What a framework decides itself. */
export interface Exceptions {
  /** After a response to a rejected body, its server closes the connection. */
  readonly closesConnection?: true
  /** It resets the connection of a rejected body without `Content-Length`, before it sends the response. */
  readonly resetsConnection?: true
  /** After a response to a rejected body without `Content-Length`, it does not use the connection again. */
  readonly leavesConnection?: true
  /** It cannot represent TRACE as a `Request`, whose constructor forbids the method, and responds itself. */
  readonly rejectsTrace?: true
}

/** Runs all rows against the server that `start` starts. */
export function conformance(name: string, start: StartSite, exceptions: Exceptions = {}): void {
  describe(name, () => {
    const open = opener(start)
    signInRows(open)
    sessionRows(open)
    requestRows(open, exceptions)
    callRows(open)
    protectRows(open)
  })
}
