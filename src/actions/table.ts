import { checkCsrf } from '../checks/csrf.ts'
import type { BoundProvider, Context, Reply } from '../contracts.ts'
import { InvalidProvider, MethodNotAllowed, UnknownAction } from '../errors/request.ts'
import { withPrivateUrl } from '../http/respond.ts'
import { lazily } from '../lazily.ts'
import type { AuthAction } from '../types.ts'
import { getCsrfToken } from './csrf.ts'
import { getProviders } from './providers.ts'
import { getSession, updateSession } from './session.ts'

type Run = (ctx: Context, provider?: BoundProvider) => Promise<Reply>

interface Row {
  /** `csrf`: requires a CSRF token. `provider`: as the provider requires (see `CallbackGuards`). */
  readonly guard: 'none' | 'csrf' | 'provider'
  readonly run: Run
}

// Loaded with the first request, because most requests only read a session.
const signInRoutes = lazily(() => import('./sign-in.ts'))
const signOutRoutes = lazily(() => import('./sign-out.ts'))
const callbackRoutes = lazily(() => import('./callback.ts'))
const errorRoutes = lazily(() => import('./error.ts'))
const verifyRoutes = lazily(() => import('./verify-request.ts'))

const callback: Row = {
  guard: 'provider',
  run: async (ctx, provider) => {
    if (!provider)
      throw new InvalidProvider('The callback route requires the id of a provider in its path.')
    // Link previews send HEAD requests, which must not consume a single-use code or link.
    if (ctx.request.isHead) return withPrivateUrl({ status: 200 })
    return (await callbackRoutes()).completeSignIn(ctx, provider)
  },
}

type Methods = Readonly<Partial<Record<'GET' | 'POST', Row>>>

const table: Readonly<Partial<Record<AuthAction, Methods>>> = {
  csrf: { GET: { guard: 'none', run: getCsrfToken } },
  providers: { GET: { guard: 'none', run: getProviders } },
  session: {
    GET: { guard: 'none', run: getSession },
    POST: { guard: 'csrf', run: updateSession },
  },
  signin: {
    GET: { guard: 'none', run: async (ctx) => (await signInRoutes()).showSignIn(ctx) },
    POST: {
      guard: 'csrf',
      run: async (ctx, provider) => (await signInRoutes()).startSignIn(ctx, provider),
    },
  },
  signout: {
    GET: { guard: 'none', run: async (ctx) => (await signOutRoutes()).showSignOut(ctx) },
    POST: { guard: 'csrf', run: async (ctx) => (await signOutRoutes()).signOut(ctx) },
  },
  callback: { GET: callback, POST: callback },
  error: { GET: { guard: 'none', run: async (ctx) => (await errorRoutes()).showError(ctx) } },
  'verify-request': {
    GET: { guard: 'none', run: async (ctx) => (await verifyRoutes()).showVerifyRequest(ctx) },
  },
}

function refuse(ctx: Context, allowed: readonly string[]): never {
  const { method, action } = ctx.request
  throw new MethodNotAllowed(`The route ${action} does not accept ${method}.`, {
    allow: allowed.join(', '),
  })
}

function guardOf(ctx: Context, row: Row, provider: BoundProvider | undefined): 'none' | 'csrf' {
  if (row.guard !== 'provider' || !provider) return row.guard === 'csrf' ? 'csrf' : 'none'
  return provider.guards[ctx.request.method] ?? refuse(ctx, Object.keys(provider.guards))
}

/** Runs the route of a request after its guards. */
export async function run(ctx: Context): Promise<Reply> {
  const { action, method, providerId } = ctx.request
  const methods = table[action]
  if (!methods) throw new UnknownAction(`The route ${action} is not implemented.`)
  const row = methods[method] ?? refuse(ctx, Object.keys(methods))
  const provider = providerId === undefined ? undefined : ctx.config.providers.get(providerId)
  if (providerId !== undefined && !provider)
    throw new InvalidProvider(
      'No provider has the id in the path of the request. Check the id in the URL, and the providers in the configuration.',
    )
  if (guardOf(ctx, row, provider) === 'csrf') await checkCsrf(ctx)
  return await row.run(ctx, provider)
}
