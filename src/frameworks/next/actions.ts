// Not next/navigation.js: its other exports cannot be bundled into route handlers (vercel/next.js#86390).
import {
  getRedirectError,
  getRedirectTypeFromError,
  redirect,
} from 'next/dist/client/components/redirect.js'
import { SessionRequired, StepUpRequired } from '../../core/errors/classes.ts'
import { readOptions } from '../../core/http/call-options.ts'
import type { PasswordAction, PasswordFields } from '../../core/password-calls.ts'
import {
  cancelEmail,
  changeEmail,
  linkAccount,
  mergeUser,
  listAccounts,
  pendingEmail,
  removeUser,
  unlinkAccount,
} from '../shared/account-calls.ts'
import { factorCalls } from '../shared/factor-calls.ts'
import { getAccessToken, requestScopes, signIn, signOut, update } from '../shared/calls.ts'
import {
  listSessions,
  requireAuth,
  revokeOtherSessions,
  revokeSession,
} from '../shared/session-calls.ts'
import type { CookieExchange } from '../shared/cookies.ts'
import { callPassword, readPassword } from '../shared/password-calls.ts'
import { isDataRequest } from '../shared/responses.ts'
import type { ConfigFor } from './config.ts'
import { appRequest, currentAdapter } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { appBasePath } from './path.ts'
import { isPagesRequest } from './shape.ts'
import type { LibResult, SignOutUrl } from './types.ts'

type RedirectError = Parameters<typeof getRedirectTypeFromError>[0]

/** Next's own test of this exists only from 15.1 on. */
function isRedirect(error: unknown): error is RedirectError {
  return (
    error instanceof Error && 'digest' in error && String(error.digest).startsWith('NEXT_REDIRECT;')
  )
}

/** Redirects by throwing, with 303, because the browser must not repeat the POST (RFC 9110 §15.4.4). */
function redirectAfterPost(url: string): never {
  try {
    redirect(url)
  } catch (error) {
    throw isRedirect(error) ? getRedirectError(url, getRedirectTypeFromError(error), 303) : error
  }
}

/** Not a server action, nor a request that a script sends to a route handler: these get the error. */
function isNavigation({ method, received }: CurrentRequest): boolean {
  const headers = received()
  if (method === undefined) {
    // Next removes what tells its own requests for pages, with `accept: */*`, from those of other scripts.
    headers.delete('sec-fetch-dest')
    return !headers.has('next-action') && !isDataRequest(headers)
  }
  return method === 'GET' && !isDataRequest(headers)
}

export function createActions(
  configFor: ConfigFor,
  cookies: CookieExchange<CurrentRequest>,
): Pick<
  LibResult,
  | 'signIn'
  | 'signOut'
  | 'update'
  | 'getAccessToken'
  | 'requestScopes'
  | 'requireAuth'
  | 'sessions'
  | 'account'
  | 'password'
  | 'factors'
> {
  const context = {
    configFor,
    adapter: currentAdapter,
    cookies,
    // Next compares the origin of server actions.
    csrf: 'framework',
    home: () => `${appBasePath()}/`,
  } as const
  const password = async (action: PasswordAction, fields?: PasswordFields | FormData) =>
    callPassword(await appRequest('password'), { action, fields }, context)
  const factors = factorCalls(context)
  // The results are `any` as in the types of the application, where `redirect` decides about them.
  return {
    async signIn(provider, given, params): Promise<any> {
      const current = await appRequest('signIn')
      const options = readOptions(given)
      const url = await signIn(current, { provider, options, params }, context)
      return options.redirects ? redirectAfterPost(url) : url
    },
    async signOut(given): Promise<any> {
      const current = await appRequest('signOut')
      const options = readOptions(given)
      const url = await signOut(current, options, context)
      const result: SignOutUrl = Object.assign(new URL(url), { redirect: url, url })
      return options.redirects ? redirectAfterPost(url) : result
    },
    update: async (data) => update(await appRequest('update'), data, context),
    async requestScopes(provider, scopes, options): Promise<any> {
      const current = await appRequest('requestScopes')
      const url = await requestScopes(current, { provider, scopes, options }, context)
      return options?.redirect === false ? url : redirectAfterPost(url)
    },
    async getAccessToken(provider, { req, res, ...options } = {}) {
      const current = isPagesRequest(req)
        ? (await import('./pages-request.ts')).pagesRequest({ req, res })
        : await appRequest('getAccessToken')
      return getAccessToken(current, { provider, options }, context)
    },
    async requireAuth(options) {
      const current = await appRequest('requireAuth')
      try {
        return await requireAuth(current, options, context)
      } catch (error) {
        const isMissing = error instanceof SessionRequired || error instanceof StepUpRequired
        throw isMissing && isNavigation(current) ? redirectAfterPost(error.url) : error
      }
    },
    sessions: {
      list: async (options) => listSessions(await appRequest('sessions'), options, context),
      revoke: async (sid) => revokeSession(await appRequest('sessions'), sid, context),
      revokeOthers: async () => revokeOtherSessions(await appRequest('sessions'), context),
    },
    account: {
      list: async () => listAccounts(await appRequest('account'), context),
      async link(provider, options): Promise<any> {
        const url = await linkAccount(await appRequest('account'), { provider, options }, context)
        return options?.redirect === false ? url : redirectAfterPost(url)
      },
      unlink: async (key, options) =>
        unlinkAccount(await appRequest('account'), { key, options }, context),
      async merge(options): Promise<any> {
        const url = await mergeUser(await appRequest('account'), options, context)
        return options?.redirect === false ? url : redirectAfterPost(url)
      },
      remove: async () => removeUser(await appRequest('account'), context),
      changeEmail: async (to) => changeEmail(await appRequest('account'), to, context),
      pendingEmail: async () => pendingEmail(await appRequest('account'), context),
      cancelEmail: async () => cancelEmail(await appRequest('account'), context),
    },
    password: {
      signUp: async (fields) => void (await password('sign-up', fields)),
      verifyEmail: async (fields) => password('verify', fields),
      requestReset: async (fields) => void (await password('forgot', fields)),
      reset: async (fields) => void (await password('reset', fields)),
      change: async (fields) => void (await password('change', fields)),
      remove: async () => void (await password('remove')),
      info: async () => readPassword(await appRequest('password'), context),
    },
    factors: {
      list: async () => factors.list(await appRequest('factors')),
      enroll: async (...args) => factors.enroll(await appRequest('factors'), ...args),
      confirm: async (...args) => factors.confirm(await appRequest('factors'), ...args),
      remove: async (id) => factors.remove(await appRequest('factors'), id),
      renewRecoveryCodes: async () => factors.renewRecoveryCodes(await appRequest('factors')),
    },
  }
}
