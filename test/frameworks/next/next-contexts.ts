/** A protected page, route and proxy, in every context in which `auth` can be called. */
import type { GetServerSidePropsContext } from 'next/types.js'
import type { NextSite, Visit } from './next-site.ts'
import type { LibRequest } from '../../../src/frameworks/next/index.ts'

const SECRET = 'for members only'

/** The outcome of a visit. */
export interface Outcome {
  /** Whether protected content was returned. */
  readonly isAuthenticated: boolean
  /** Status of a response of the library. */
  readonly status?: number
  /** The thrown error; in production, Next responds with a generic error page. */
  readonly error?: unknown
  /** Text and headers that the visitor receives. */
  readonly text: string
}

type Run = (site: NextSite, visit: Visit) => Promise<string | Response>

const contentFor = (session: unknown): string => (session ? SECRET : 'Sign in first.')

const handler = (request: LibRequest) =>
  new Response(contentFor(request.auth), { status: request.auth ? 200 : 401 })

/** Renders a public page after the proxy passed the request on. */
async function behindProxy(
  site: NextSite,
  proxy: Parameters<NextSite['proxy']>[0],
  visit: Visit,
): Promise<string | Response> {
  const { response, page } = await site.proxy(proxy, '/page', visit)
  return page ? SECRET : response
}

const RUNS = {
  'a server component': (site, visit) =>
    site.render(async () => contentFor(await site.auth()), visit),
  'a server action': (site, visit) => site.action(async () => contentFor(await site.auth()), visit),
  'a route handler': (site, visit) =>
    site.route(async () => new Response(contentFor(await site.auth())), '/api/me', visit),
  'auth() around a route handler': (site, visit) =>
    site.route(site.auth(handler), '/api/me', visit),
  'the proxy': (site, visit) => behindProxy(site, site.auth, visit),
  'auth() around the proxy': (site, visit) =>
    behindProxy(site, site.auth((_request, _event) => undefined) as never, visit),
  'an API route': async (site, visit) =>
    (await site.pages(async ({ req, res }) => contentFor(await site.auth(req, res)), '/', visit))
      .result,
  getServerSideProps: async (site, visit) => {
    const context = { query: {}, resolvedUrl: '/page' }
    const ask = (call: object) => site.auth({ ...context, ...call } as GetServerSidePropsContext)
    return (await site.pages(async (call) => contentFor(await ask(call)), '/page', visit)).result
  },
  'an API route on the edge': (site, visit) =>
    site.edge(site.auth(handler) as never, '/api/edge', visit),
  'the built-in route': async (site, visit) => {
    const response = await site.route(site.handlers.GET, '/api/auth/session', visit)
    const text = await response.text()
    return response.ok ? contentFor(JSON.parse(text)) : new Response(text, response)
  },
} satisfies Record<string, Run>

/** A context in which `auth` is called. */
export type Place = keyof typeof RUNS

function isPlace(name: string): name is Place {
  return Object.hasOwn(RUNS, name)
}

/** Every place. */
export const PLACES: readonly Place[] = Object.keys(RUNS).filter(isPlace)

/** Visits a place. */
export async function visitPlace(
  site: NextSite,
  place: Place,
  visit: Visit = {},
): Promise<Outcome> {
  try {
    const answer = await RUNS[place](site, visit)
    const text = typeof answer === 'string' ? answer : await answer.text()
    const headers = typeof answer === 'string' ? '' : JSON.stringify([...answer.headers])
    return {
      isAuthenticated: text === SECRET,
      text: text + headers,
      ...(typeof answer !== 'string' && { status: answer.status }),
    }
  } catch (error) {
    return { isAuthenticated: false, text: '', error }
  }
}

/** Whether a text exposes internals of the application. */
export function exposesInternals(text: string): boolean {
  return /\bat .+:\d+|\.[jt]s\b|node_modules|\/(?:src|work|home|tmp)\/|Error:|No tenant|database is/.test(
    text,
  )
}
