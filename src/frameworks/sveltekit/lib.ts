import { error, fail, redirect } from '@sveltejs/kit'
import type { ActionFailure, RequestEvent } from '@sveltejs/kit'
import type { Provider } from '../../core/config/provider.ts'
import type { TokenProviderId } from '../../core/config/token-provider-id.ts'
import { isCredentialsSignin, findErrorRow } from '../../core/errors/table.ts'
import type { DefaultSession, Session } from '../../core/types.ts'
import { NOT_SHARED, withHeaders } from '../shared/cookies.ts'
import { asRecord } from '../../core/is-record.ts'
import { isResponse, redirectAfterPost } from '../shared/responses.ts'
import type { Target } from '../shared/responses.ts'
import type {
  AuthorizationParams,
  ConfigSource,
  Implementation,
  InferredSource,
} from '../shared/types.ts'
import { wrap } from '../shared/wrap.ts'
import { bindEvent, hasSetCookies, isWithoutVisitor, adapter } from './request-adapter.ts'
import type { LibResult, RejectedSignIn, SessionLocals, SessionPageData } from './types.ts'

declare global {
  namespace App {
    // An application with another type of session declares the members itself.
    interface Locals extends SessionLocals {}
    interface PageData extends SessionPageData {}
  }
}

type Redirect = (status: number, location: string, options: { external: true }) => never

/** SvelteKit 3 rejects the URL of a provider without `external`; SvelteKit 2 ignores it. */
const redirectTo: Redirect = redirect

/** What an error page shows; the pages of an application can compare it. */
const MESSAGES: Readonly<Record<number, string>> = {
  401: 'SessionRequired',
  403: 'AccessDenied',
  503: 'SessionUnavailable',
}

/** Load functions cannot return a response, only throw a redirect or an error. */
function throwResponse(event: RequestEvent, { status, headers }: Response): never {
  const location = headers.get('location')
  if (location !== null) redirectTo(status, location, { external: true })
  if (status < 400)
    throw new TypeError(
      `The callback authorized returned a response with status ${status}. SvelteKit can only send a redirect or an error: return Response.redirect(url), false, or a response with a status from 400 on.`,
    )
  for (const name of ['retry-after', 'www-authenticate']) {
    const value = headers.get(name)
    if (value !== null) event.setHeaders({ [name]: value })
  }
  const isStepUp = status === 401 && headers.has('www-authenticate')
  error(status, isStepUp ? 'StepUpRequired' : (MESSAGES[status] ?? `Error ${status}`))
}

const finish = (target: Target) =>
  redirectAfterPost(target, (url, status) => redirectTo(status, url, { external: true }))

const PARAMETER = 'authorizationParams-'

type FormResult = { url: string } | ActionFailure<RejectedSignIn>
type SignInCall = [provider: string | undefined, options?: object, params?: AuthorizationParams]

/** Errors that the form shows; all others are for the error page. */
const SHOWN_BY_FORM = /^(?:ChallengeRequired|TooManyAttempts|Verification)$/

/** @throws the error, if the form does not show it */
function rejectForm(rejected: unknown): ActionFailure<RejectedSignIn> {
  if (isCredentialsSignin(rejected)) return fail(400, { error: rejected.code ?? 'credentials' })
  const row = findErrorRow(rejected)
  const type = String(asRecord(rejected)['type'])
  if (!row || !SHOWN_BY_FORM.test(type)) throw rejected
  return fail(row.status, { error: type })
}

/** The fields of a form action; none if the request has no form. */
async function readForm({ request }: RequestEvent): Promise<FormData> {
  const isForm = /form/.test(request.headers.get('content-type') ?? '')
  return isForm && !request.bodyUsed ? request.formData() : new FormData()
}

function splitFields(form: FormData): [string | undefined, FormData, Record<string, string>] {
  const provider = form.get('providerId')
  const [fields, params] = [new FormData(), new Map<string, string>()]
  for (const [name, value] of form) {
    if (name.startsWith(PARAMETER) && typeof value === 'string')
      params.set(name.slice(PARAMETER.length), value)
    else if (name !== 'providerId') fields.append(name, value)
  }
  const id = typeof provider === 'string' && provider !== '' ? provider : undefined
  return [id, fields, Object.fromEntries(params)]
}

/**
 * Creates the hook and functions for authentication in a SvelteKit application.
 *
 * @param source - the configuration, or a function that receives the event and returns it
 * @example
 * ```ts
 * // src/auth.ts
 * import GitHub from 'lib-auth/providers/github'
 * import Lib from 'lib-auth/sveltekit'
 *
 * export const { handle, auth, protect, signIn, signOut } = Lib({ providers: [GitHub] })
 * ```
 */
export default function Lib<
  S extends DefaultSession = Session,
  Known extends DefaultSession = S,
  P extends Provider = Provider,
>(source: InferredSource<RequestEvent, S, Known, P>): LibResult<S, TokenProviderId<P>>
export default function Lib(
  source: ConfigSource<RequestEvent>,
): Implementation<LibResult, RequestEvent> {
  const lib = wrap(source, adapter)

  async function signInByForm(event: RequestEvent): Promise<FormResult> {
    const [provider, fields, params] = splitFields(await readForm(event))
    const target = await lib.signIn(event, provider, fields, params, 'browser').catch(rejectForm)
    return 'url' in target ? { url: finish(target) } : target
  }

  function signIn(event: RequestEvent, ...call: SignInCall): Promise<string>
  function signIn(event: RequestEvent): Promise<FormResult>
  async function signIn(event: RequestEvent, ...call: [] | SignInCall) {
    if (call.length === 0) return signInByForm(event)
    return finish(await lib.signIn(event, ...call))
  }

  function signOut(event: RequestEvent, options: object): Promise<string>
  function signOut(event: RequestEvent): Promise<{ url: string }>
  async function signOut(event: RequestEvent, options?: object) {
    const target = await lib.signOut(event, options ?? (await readForm(event)))
    return options ? finish(target) : { url: finish(target) }
  }

  return {
    async handle({ event, resolve }) {
      bindEvent(event)
      const locals: SessionLocals = {
        auth: lib.bindAuth(event),
        getSession: lib.bindAuth(event, 'getSession'),
      }
      // With several configurations, the functions are those of the first hook.
      if (!('auth' in event.locals)) Object.assign(event.locals, locals)
      if (isWithoutVisitor(event) && event.route.id !== null) return resolve(event)
      if (await lib.isRoute(event, event.url.pathname)) {
        // Prerendering follows links to the routes: with 204, the build neither fails nor stores the response.
        if (isWithoutVisitor(event)) return new Response(null, { status: 204 })
        return lib.answer(event, event.request)
      }
      const response = await resolve(event)
      return hasSetCookies(event) ? withHeaders(response, NOT_SHARED) : response
    },
    protect: lib.exposed('protect', async (event, options) => {
      const access = await lib.checkAccess(event, event.request.method, options)
      return isResponse(access) ? throwResponse(event, access) : access
    }),
    auth: lib.auth,
    signIn,
    signOut,
    update: lib.update,
    getAccessToken: lib.getAccessToken,
    requireAuth: lib.requireAuth,
    sessions: lib.sessions,
    password: lib.password,
    account: {
      ...lib.account,
      link: async (...args) => finish(await lib.account.link(...args)),
      merge: async (...args) => finish(await lib.account.merge(...args)),
    },
    factors: lib.factors,
    requestScopes: async (...args) => finish(await lib.requestScopes(...args)),
  }
}
