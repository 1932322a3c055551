/** `signIn` and `signOut` of the clients of user interface frameworks, which load the code on demand. */
import type * as Forms from './page-forms.ts'
import { routes } from './page-state.ts'
import type { SessionSource } from './store.ts'
import type {
  Client,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutOptions,
  SignOutResponse,
} from './types.ts'

/** Loaded on demand: not needed to show a page. */
export function loadForms(): Promise<typeof Forms> {
  return import('./page-forms.ts')
}

/** The session of the page; only its routes are shared. */
export const pageSource: SessionSource = {
  read: async () => routes().readJson('session'),
  update: async (data) => (await loadForms()).update(data),
}

export function pageUrl(page: string, query?: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, callbackUrl: globalThis.location.href })
  return `${routes().url}/${page}?${search}`
}

/** After a deployment, the chunk may no longer exist: the built-in page is used instead. */
async function loadFormsOr(page: string): Promise<typeof Forms> {
  try {
    return await loadForms()
  } catch (error) {
    globalThis.location.assign(pageUrl(page))
    throw error
  }
}

/** Starts a sign-in; without a provider, goes to the sign-in page. */
export async function signIn<R extends boolean = true>(
  provider?: string,
  options?: FormData | SignInOptions<R>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<R extends false ? SignInResponse : void>
export async function signIn(...args: Parameters<Client['signIn']>): Promise<unknown> {
  return (await loadFormsOr('signin')).signIn(...args)
}

/** Signs out, and goes to the return URL. */
export async function signOut<R extends boolean = true>(
  options?: FormData | SignOutOptions<R>,
): Promise<R extends false ? SignOutResponse : void>
export async function signOut(...args: Parameters<Client['signOut']>): Promise<unknown> {
  return (await loadFormsOr('signout')).signOut(...args)
}
