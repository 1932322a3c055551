/** Asks a site that runs, and says what kept it from answering. */
import { LIMITS } from '../../deadline.ts'
import { guardedFetch } from '../../flows/oauth/fetch.ts'
import type { Fetch } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** What a site answered. */
export interface Answer {
  readonly url: URL
  readonly headers: Headers
  readonly json: unknown
}

/** An answer, or what is wrong with it. */
export type Asked = Answer | { readonly status: number; readonly finding: Finding }

/** Whether it is an answer that can be looked at. */
export function isAnswer(asked: Asked): asked is Answer {
  return 'json' in asked
}

const about = topic('site')

/** What a status says. */
const STATUSES: Readonly<Record<number, readonly [what: string, write: (url: URL) => string]>> = {
  400: [
    'refuses the request: it does not trust the host it is asked by',
    ({ origin }) =>
      `Set AUTH_URL=${origin} where it runs. Its log says which header named which host.`,
  ],
  401: [
    'asks for a sign-in: something in front of the routes answers',
    ({ pathname }) => `Leave ${pathname} out of what is protected, as in the matcher of the proxy.`,
  ],
  403: [
    'refuses the request: something in front of the routes answers',
    ({ pathname }) => `Let requests to ${pathname} through.`,
  ],
  404: [
    'has no routes there',
    ({ origin }) =>
      `With Next.js, write export const { GET, POST } = handlers in app/api/auth/[...auth]/route.ts. If they are elsewhere, say where: --url ${origin}/path`,
  ],
}

function ofStatus(url: URL, status: number): Finding {
  const [what, write] = STATUSES[status] ?? [
    status >= 500 ? 'does not work' : 'does not answer as the library does',
    () =>
      status >= 500
        ? 'See its log, which names what is wrong. Often it is a variable that is not set there, such as AUTH_SECRET.'
        : 'See whether something else is in front of the routes.',
  ]
  return about.error(`${url.href} ${what} (status ${status}).`, write(url))
}

function ofRedirect(url: URL, location: string): Finding {
  const target = URL.canParse(location, url) ? new URL(location, url) : url
  if (target.origin !== url.origin)
    return about.error(
      `${url.href} leads to ${target.origin}, where this did not go along.`,
      `If that is the site, look at it: --url ${target.origin}`,
    )
  return about.error(
    `${url.href} leads to ${target.pathname}.`,
    `Leave ${url.pathname} out of what redirects, as in the matcher of the proxy.`,
  )
}

function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Asks for one URL, and follows no redirect. */
export async function ask(
  url: URL,
  {
    fetcher,
    headers,
    quote,
  }: Pick<Subject, 'quote'> & {
    readonly fetcher: Fetch
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<Asked> {
  try {
    const request = { headers: { accept: 'application/json', ...headers } }
    const response = await guardedFetch(fetcher, { http: 'any' })(url, request)
    const { status } = response
    const location = response.headers.get('location')
    if (status >= 300 && status < 400 && location !== null)
      return { status, finding: ofRedirect(url, location) }
    if (status !== 200) return { status, finding: ofStatus(url, status) }
    const parsed = parse(await response.text())
    if (parsed) return { url, headers: response.headers, ...parsed }
    const what = `${url.href} answers with something that is no JSON, so it is not of the library.`
    return { status, finding: about.error(what, 'See whether something else has that path.') }
  } catch (error) {
    const what = `${url.href} was not reached: ${quote(error)}`
    const write = `See whether it runs, and whether this machine may ask it. It was waited for ${LIMITS.provider / 1000} seconds.`
    return { status: 0, finding: about.error(what, write) }
  }
}
