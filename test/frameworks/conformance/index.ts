/**
 * What every wrapper has to do, over raw HTTP against a running server of its framework. Where each behaviour is tested:
 *
 * | Behaviour | File |
 * | --- | --- |
 * | credentials by form and JSON, wrong password, CSRF, sign-in page, forged cookie, concurrent users, shared `Headers` | sign-in.ts |
 * | OAuth, `form_post`, error of a provider, missing transaction, attributes of cookies, magic link | providers.ts |
 * | one read per request, sliding expiration, session cookies, own cookies, outage, lazy configuration | sessions.ts |
 * | chunked session, database strategy, characters of a token, outage of the adapter | storage.ts |
 * | https origin on a plain server, reverse proxy, absolute request target | hosts.ts |
 * | invalid configuration, hostile host and target, spelling of paths, methods, media types, size, aborted and endless bodies, parsed bodies | requests.ts |
 * | server-side `signIn`, `signOut`, `update`, and calls from another origin | calls.ts |
 * | sign-out at the provider, and what the provider sends | logout.ts |
 * | access tokens of a provider, and more scopes | tokens.ts |
 * | sessions that users list and end, `requireAuth` | session-functions.ts |
 * | accounts that users link and unlink, and users who delete themselves | account.ts |
 * | passwords that users reset and change | passwords.ts |
 * | second factors that users add and remove, and the sign-in with one | factors.ts |
 * | limits on guessing, by account and by the client address of the configured header | limits.ts |
 * | `protect`, `allow`, `authorized`, spelling of protected paths, public pages | protect.ts |
 * | base path, mount path, two configurations, other body parsers, streamed responses, CSRF check of the framework | ../mounts.test.ts, ../express-bodies.test.ts |
 * | HTTP/2 | ../http2.test.ts |
 * | initial session in HTML, client bundle | the test of each framework and client |
 * | types | ../../types |
 */
import { describe } from 'vitest'
import { accountRows } from './account.ts'
import { callRows } from './calls.ts'
import { factorRows } from './factors.ts'
import { hostRows } from './hosts.ts'
import { protectRows } from './protect.ts'
import { logoutRows } from './logout.ts'
import { limitRows } from './limits.ts'
import { passwordRows } from './passwords.ts'
import { providerRows } from './providers.ts'
import { requestRows } from './requests.ts'
import { sessionFunctionRows } from './session-functions.ts'
import { sessionRows } from './sessions.ts'
import { signInRows } from './sign-in.ts'
import { opener } from './site.ts'
import type { OpenerOptions, StartSite } from './site.ts'
import { storageRows } from './storage.ts'
import { tokenRows } from './tokens.ts'

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
  /** It rejects forms of other origins with 403, before the wrapper receives them. */
  readonly rejectsForeignForms?: true
  /** It cannot build a URL of an absolute target, and responds with 500 itself. */
  readonly rejectsAbsoluteTargets?: true
  /** It redirects a target that begins with two slashes to the same path with one, on its own host. */
  readonly redirectsDoubleSlashes?: true
  /** It redirects paths with additional slashes to the same path without them, and absolute targets to themselves. */
  readonly redirectsSlashes?: true
  /** It answers other methods than those that the route exports: OPTIONS with 204, the others with 405 and no `Allow`. */
  readonly answersOtherMethods?: true
  /** Its `protect` runs before its router, which replaces 302 by 307. */
  readonly redirectsWith307?: true
  /** It adds `Content-Type: text/plain` to responses without a body. */
  readonly labelsEmptyBodies?: true
  /** Its route handlers decide themselves, without `authorized`. */
  readonly decidesInHandlers?: true
  /** It drops cookies that a handler sets after its response has begun, without an error. */
  readonly dropsLateCookies?: true
  /** It does not tell its handlers the method of a request. */
  readonly hidesMethod?: true
  /** Its own routes cannot read a body that other code has read either. */
  readonly readsBodiesOnce?: true
  /** Its `requireAuth` redirects navigations. */
  readonly redirectsToStepUp?: true
  /** What it responds to an error of `requireAuth` that the application does not handle. */
  readonly throwsStatus?: 401 | 500
}

/** Runs all rows against the server that `start` starts. */
export function conformance(
  name: string,
  start: StartSite,
  exceptions: Exceptions = {},
  options: OpenerOptions = {},
): void {
  describe(name, () => {
    const open = opener(start, options)
    signInRows(open, exceptions)
    providerRows(open, exceptions)
    sessionRows(open)
    storageRows(open)
    hostRows(open, exceptions)
    requestRows(open, exceptions)
    limitRows(open)
    if (open.isRecipe) return
    callRows(open)
    logoutRows(open, exceptions)
    tokenRows(open, exceptions)
    sessionFunctionRows(open, exceptions)
    accountRows(open)
    passwordRows(open)
    factorRows(open)
    protectRows(open, exceptions)
  })
}
