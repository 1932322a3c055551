/** Whether a site that runs answers as it should. */
import { normalizeBasePath } from '../../base-path.ts'
import { isLoopback } from '../../http/origin.ts'
import { ask, isAnswer } from './ask.ts'
import type { Answer, Asked } from './ask.ts'
import type { Clock } from './clock.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { examineCsrfCookie } from './site-cookies.ts'
import type { Subject } from './subject.ts'

const about = topic('site')

/** A host that nobody has (RFC 6761 §6.4). */
const NOBODY = 'doctor.invalid'
/** Where the routes may be when nothing says: with Next.js, and without. */
const USUAL_PATHS = ['/api/auth', '/auth']

interface Listed {
  readonly id: string
  readonly callbackUrl: string
}

/** The providers of an answer; `undefined`: it is none of ours. */
function providersIn(json: unknown): readonly Listed[] | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const listed = Object.entries(json).map(([id, provider]: [string, unknown]) => {
    const url: unknown =
      typeof provider === 'object' && provider && Reflect.get(provider, 'callbackUrl')
    return { id, callbackUrl: typeof url === 'string' && URL.canParse(url) ? url : '' }
  })
  return listed.every(({ callbackUrl }) => callbackUrl !== '') ? listed : undefined
}

function compareOrigins({ url, json }: Answer): Finding[] {
  const stated = providersIn(json)?.map(({ callbackUrl }) => new URL(callbackUrl))
  const other = stated?.find(({ origin }) => origin !== url.origin)
  if (!other) return []
  const header = other.host === url.host ? 'X-Forwarded-Proto: https' : 'X-Forwarded-Host'
  return [
    about.error(
      `asked as ${url.origin}, it takes ${other.origin} for its own address: providers send people there.`,
      `Set AUTH_URL=${url.origin} where it runs, or let the proxy in front of it send ${header}.`,
    ),
  ]
}

function compareProviders({ json }: Answer, { isLoaded, providers }: Subject): Finding[] {
  if (!isLoaded) return []
  const there = (providersIn(json) ?? []).map(({ id }) => id).sort()
  const here = [...new Set(providers.map(({ id }) => id))].sort()
  if (there.join() === here.join()) return []
  return [
    about.warning(
      `it has the providers ${there.join(', ') || 'of nobody'}, and the configuration here has ${here.join(', ') || 'none'}.`,
      'Deploy what is here, or look at the configuration that runs there.',
    ),
  ]
}

/** What is for one person must not be kept by anything on the way (RFC 9111 §5.2.2.5). */
function examineCaching({ url, headers }: Answer): Finding[] {
  const control = headers.get('cache-control') ?? ''
  const isKept = headers.has('age') || /\bhit\b/i.test(headers.get('x-cache') ?? '')
  if (/\bno-store\b/.test(control) && !isKept) return []
  const what = isKept
    ? `${url.href} is answered out of a cache`
    : `${url.href} may be kept by caches: its Cache-Control is "${control}"`
  return [
    about.error(
      `${what}, so one person gets what is for another.`,
      'Let whatever is in front of the site pass Cache-Control: private, no-store on, and keep nothing below that path.',
    ),
  ]
}

function examineSession({ url, json }: Answer): Finding[] {
  if (json === null) return []
  return [
    about.error(
      `${url.href} answers somebody without cookies with something else than null.`,
      'Let nothing in front of the site keep or make answers below that path.',
    ),
  ]
}

/** Whether it believes a header that everybody can send. */
function examineTrust(asked: Asked, { origin }: URL): Finding[] {
  const isFooled =
    isAnswer(asked) &&
    providersIn(asked.json)?.some(({ callbackUrl }) => new URL(callbackUrl).host === NOBODY)
  if (!isFooled) return []
  return [
    about.error(
      'it believes an X-Forwarded-Host header from anybody: links in its mails lead where somebody else wants.',
      `Set AUTH_URL=${origin} where it runs.`,
    ),
  ]
}

function pathsOf(url: URL, { config, isLoaded }: Subject): readonly string[] {
  const path = normalizeBasePath(url.pathname)
  if (path !== '') return [path]
  return isLoaded ? [normalizeBasePath(config.basePath ?? '')] : USUAL_PATHS
}

/** Asks the routes of a site as somebody who has never been there. */
export async function examineSite(
  site: URL,
  subject: Subject,
  clock: Clock,
): Promise<readonly Finding[]> {
  const { quote } = subject
  const fetcher = clock.watch(globalThis.fetch)
  const at = (path: string) => new URL(path, site.origin)
  const bases = await Promise.all(
    pathsOf(site, subject).map(async (base) => ({
      base,
      providers: await ask(at(`${base}/providers`), { fetcher, quote }),
    })),
  )
  const found = bases.find(({ providers }) => isAnswer(providers)) ?? bases[0]
  if (!found) return []
  const { base, providers } = found
  if (!isAnswer(providers)) return [providers.finding]
  if (!providersIn(providers.json))
    return [
      about.error(
        `${providers.url.href} answers with JSON that is not of the library.`,
        'See whether something else has that path.',
      ),
    ]
  // Whatever keeps this answer by mistake keeps it under a URL that nobody else asks for.
  const probe = at(`${base}/providers?doctor=${crypto.randomUUID()}`)
  const isNear = isLoopback(site.hostname)
  const [csrf, session, fooled] = await Promise.all([
    ask(at(`${base}/csrf`), { fetcher, quote }),
    ask(at(`${base}/session`), { fetcher, quote }),
    isNear ? providers : ask(probe, { fetcher, quote, headers: { 'x-forwarded-host': NOBODY } }),
  ])
  const findings = [
    ...compareOrigins(providers),
    ...compareProviders(providers, subject),
    ...examineTrust(fooled, site),
    ...(isAnswer(csrf)
      ? [...examineCaching(csrf), ...examineCsrfCookie(csrf, subject)]
      : [csrf.finding]),
    ...(isAnswer(session)
      ? [...examineCaching(session), ...examineSession(session)]
      : [session.finding]),
  ]
  return [about.ok(`${site.origin} answers below ${base || '/'}.`), ...findings]
}
