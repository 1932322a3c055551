/** Processes that share the database and the secret, and the same response for each of them. */
import { vi } from 'vitest'
import type { Browser } from '../../../../src/testing/index.ts'
import type { Authenticator } from './authenticator.ts'
import { fieldsOf, requestOptions } from './site.ts'
import type { PasskeySite } from './site.ts'

/** The request that completes a ceremony, with the cookies of the browser at this time. */
export async function finalRequest(
  tab: Browser,
  passkey: Authenticator,
  query: Readonly<Record<string, string>> & { readonly action: 'register' | 'authenticate' },
): Promise<() => Request> {
  const { options } = await requestOptions(tab, query)
  const credential = query.action === 'register' ? passkey.create(options) : passkey.get(options)
  const form = new URLSearchParams({
    ...fieldsOf(query.action, credential),
    csrfToken: await tab.csrfToken(),
  })
  const cookie = tab.cookies.all().map(({ name, value }) => `${name}=${value}`)
  const headers = { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin' }
  return () =>
    new Request('https://app.test/auth/callback/passkey', { method: 'POST', headers, body: form })
}

export type Process = (request: Request) => Promise<Response>

/** A process: it shares nothing with others but the database and the secret. */
export async function startProcess({ config }: PasskeySite): Promise<Process> {
  vi.resetModules()
  const { Auth } = await import('../../../../src/index.ts')
  const { default: provider } = await import('../../../../src/providers/passkey.ts')
  const own = { ...config, providers: [provider()] }
  // Loads the modules of the ceremony now: a module that is loaded later is that of the newest process.
  await Auth(new Request('https://app.test/auth/webauthn-options/passkey'), own)
  return (request) => Auth(request, own)
}

export async function startProcesses(site: PasskeySite, count: number): Promise<Process[]> {
  const processes = []
  for (let left = count; left > 0; left--) processes.push(await startProcess(site))
  return processes
}

/** Sends a request to all processes at the same time; returns the responses that sign in. */
export async function sessionsFrom(
  request: () => Request,
  processes: readonly Process[],
): Promise<Response[]> {
  const responses = await Promise.all(processes.map((each) => each(request())))
  return responses.filter(isSignedIn)
}

export const isSessionCookie = (cookie: string): boolean => /session-token=[^;]/.test(cookie)

export function isSignedIn({ headers }: Response): boolean {
  return headers.getSetCookie().some(isSessionCookie)
}
