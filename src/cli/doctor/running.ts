/** Whether the development server runs at another port than that of `AUTH_URL`. */
import { guardedFetch } from '../../core/flows/oauth/fetch.ts'
import { isLoopback } from '../../core/http/origin.ts'
import { asRecord } from '../../core/is-record.ts'
import { developmentOrigin } from '../application.ts'
import { locateUrl, topic } from './context.ts'
import type { Finding, DoctorContext } from './context.ts'

/** A development server takes one of the next ports if its own is in use. */
const NEXT_PORTS = 3
/** Milliseconds: a local server that compiles the route answers later than that, and is not found. */
const TIMEOUT = 3000

/** The callback URLs in a response of the route `providers`. */
export function callbackUrls(providers: unknown): readonly URL[] {
  const entries = Object.values(asRecord(providers))
  const urls = entries.map((each) => String(asRecord(each)['callbackUrl']))
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url))
}

/** Whether a site at this origin names another one in its callback URLs. */
async function uses(
  asked: string,
  expected: string,
  { basePath }: DoctorContext,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT)
    const fetcher = guardedFetch(globalThis.fetch, { http: 'any' })
    const response = await fetcher(`${asked}${basePath}/providers`, { signal })
    return callbackUrls(await response.json()).some(({ origin }) => origin === expected)
  } catch {
    // Nothing listens there, or another program.
    return false
  }
}

export async function* checkRunningPort(context: DoctorContext): AsyncGenerator<Finding> {
  const { origin, url, env, order } = context
  if (!origin || url || env['NODE_ENV'] !== 'development') return
  if (!isLoopback(new URL(origin).hostname)) return
  const expected = new URL(developmentOrigin({ folder: order.folder, env }))
  const first = Number(expected.port)
  const ports = [...Array(NEXT_PORTS + 1).keys()].map((step) => first + step)
  const others = ports.map((port) => `${expected.protocol}//${expected.hostname}:${port}`)
  const asked = others.filter((each) => each !== origin)
  const answers = await Promise.all(asked.map((each) => uses(each, origin, context)))
  const running = asked[answers.indexOf(true)]
  if (running === undefined) return
  const place = locateUrl(context, 'origin')
  yield topic('origin')
    .error`the site runs at ${running}, but ${place} is ${origin}: every sign-in leads there. → Set AUTH_URL to ${running}, or remove it: on localhost it is not needed.`
}
