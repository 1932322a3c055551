// Not next/navigation.js: its other exports cannot be bundled into route handlers (vercel/next.js#86390).
import {
  getRedirectError,
  getRedirectTypeFromError,
  redirect,
} from 'next/dist/client/components/redirect.js'
import { readOptions } from '../shared/call-options.ts'
import type { CallOptions } from '../shared/call-options.ts'
import type { Untyped } from '../../core/types.ts'
import { createCalls } from '../shared/calls.ts'
import type { CookieExchange } from '../shared/cookies.ts'
import type { ConfigFor } from './config.ts'
import { appRequest, currentAdapter } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import { appBasePath } from './path.ts'
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

function redirectOrReturn({ redirects }: CallOptions, url: string, result: Untyped = url): Untyped {
  return redirects ? redirectAfterPost(url) : result
}

export function createActions(
  configFor: ConfigFor,
  cookies: CookieExchange<CurrentRequest>,
): Pick<LibResult, 'signIn' | 'signOut' | 'update'> {
  const calls = createCalls({
    configFor,
    adapter: currentAdapter,
    cookies,
    // Next compares the origin of server actions.
    csrf: 'framework',
    home: () => `${appBasePath()}/`,
  })
  return {
    async signIn(provider, signInOptions, authorizationParams) {
      const current = await appRequest('signIn')
      const options = readOptions(signInOptions)
      const url = await calls.signIn(current, provider, options, authorizationParams)
      return redirectOrReturn(options, url)
    },
    async signOut(signOutOptions) {
      const current = await appRequest('signOut')
      const options = readOptions(signOutOptions)
      const url = await calls.signOut(current, options)
      const result: SignOutUrl = Object.assign(new URL(url), { redirect: url, url })
      return redirectOrReturn(options, url, result)
    },
    update: async (data) => calls.update(await appRequest('update'), data),
  }
}
