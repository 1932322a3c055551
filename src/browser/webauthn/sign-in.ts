import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { readOptions } from '../../core/http/call-options.ts'
import { currentPage, failedSignIn, navigate, postSignIn } from '../client/forms.ts'
import type { FormResult, StartedSignIn } from '../client/forms.ts'
import { shared } from '../client/page-state.ts'
import { ClientFetchError, createRoutes } from '../client/routes.ts'
import type { Routes } from '../client/routes.ts'
import type { SignInAuthorizationParams, SignInResponse } from '../client/types.ts'
import { withoutError } from '../../core/errors/url.ts'
import { runAutofill } from './autofill.ts'
import { missingSupport, runCeremony } from './ceremony.ts'
import type { Proof } from './ceremony.ts'
import { CeremonyError, logSiteError } from './ceremony-error.ts'
import { ceremonyMessages, serverMessage } from './messages.ts'
import { readCeremony } from './read-ceremony.ts'
import type { PasskeyResponse, PasskeySignInOptions } from './types.ts'

type Fields = Readonly<Record<string, string>>

async function proveByPasskey(
  routes: Routes,
  id: string,
  fields: Fields,
  autofill: string | undefined,
): Promise<Proof> {
  const missing = missingSupport()
  if (missing) throw new CeremonyError(missing)
  if (autofill !== 'true') return runCeremony(() => readCeremony(routes, id, fields))
  if (!(await browserSupportsWebAuthnAutofill())) throw new CeremonyError('unsupported')
  return runAutofill(() => readCeremony(routes, id, { ...fields, action: 'authenticate' }))
}

async function send(routes: Routes, route: string, fields: Fields): Promise<StartedSignIn> {
  try {
    return await postSignIn(routes, route, { fields, isLast: true })
  } catch (error) {
    if (!(error instanceof ClientFetchError)) throw error
    console.error(error)
    return failedSignIn(routes, 'Configuration', error.status ?? 0)
  }
}

function withMessage(result: SignInResponse): PasskeyResponse {
  return result.error === undefined
    ? { ...result, message: undefined }
    : { ...result, message: serverMessage(result) }
}

/** What the server has reported, unless it failed itself. */
function readRefusal({ cause }: CeremonyError) {
  if (!(cause instanceof ClientFetchError) || !('body' in cause)) return null
  const { status = 500, body } = cause
  if (status >= 500 || typeof body !== 'object' || body === null) return null
  if (!('error' in body && 'message' in body)) return null
  const { error, message } = body
  if (typeof error !== 'string' || typeof message !== 'string') return null
  const code = 'code' in body && typeof body.code === 'string' ? body.code : undefined
  return { error, message, code, status }
}

/** With `redirect: false`, a failure is a result; else an error, because there is no page to go to. */
function failedCeremony(error: unknown, redirects: boolean): FormResult<PasskeyResponse> {
  if (!(error instanceof CeremonyError)) throw error
  const { code, cause } = error
  const refusal = readRefusal(error)
  const message = refusal ? serverMessage(refusal) : ceremonyMessages[code]
  // The request that replaced this one reports the result.
  if (redirects && code !== 'replaced') throw new CeremonyError(code, { message, cause })
  logSiteError(error)
  const failure = refusal ?? { error: error.name, code, status: 0 }
  const result = { ...failure, message, ok: false, url: null }
  return { result, isRedirecting: redirects, changesUser: false }
}

export async function signIn(
  id: string,
  options?: FormData | PasskeySignInOptions,
  authorizationParams?: SignInAuthorizationParams,
): Promise<FormResult<PasskeyResponse>> {
  if (!globalThis.location)
    throw new TypeError(
      'signIn() and register() of lib-auth/webauthn need a browser. Call them in an event handler of a page.',
    )
  const { redirects, redirectTo, fields: readFields } = readOptions(options)
  const { basePath = shared.basePath, autofill, ...fields } = readFields()
  const routes = createRoutes({ basePath })
  const callbackUrl = redirectTo ?? withoutError(currentPage(routes))
  try {
    const proof = await proveByPasskey(routes, id, fields, autofill)
    const route = `callback/${id}?${new URLSearchParams(authorizationParams)}`
    const form = { ...fields, ...proof, callbackUrl }
    const { result, target, changesUser } = await send(routes, route, form)
    if (redirects) navigate(target)
    return { result: withMessage(result), isRedirecting: redirects, changesUser }
  } catch (error) {
    return failedCeremony(error, redirects)
  }
}
