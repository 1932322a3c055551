/** Where the site is for people, and who says so. */
import { normalizeBasePath } from '../../base-path.ts'
import { AuthError } from '../../errors.ts'
import { isLoopback, isOrigin, publicOrigin } from '../../http/origin.ts'
import { flag, nameOf, text, TRUST_NAMES, trustName, URL_NAMES } from '../../variables.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { adviceOf } from './problems.ts'
import type { Subject } from './subject.ts'

const about = topic('origin')

const SET_URL = 'Set AUTH_URL to the URL people use, as in AUTH_URL=https://example.com.'

/** Whose word counts where the origin is that of the request. */
const REQUESTED =
  'that of each request: as the Host header says, or X-Forwarded-Host where a proxy has put an address of its own there'

/** The origin of every request; `undefined`: each request has its own. */
export function fixedOrigin({ config: { origin } }: Subject): string | undefined {
  const plain = origin?.replace(/\/$/, '')
  return plain !== undefined && isOrigin(plain) ? plain : undefined
}

/** What an origin is said to be by. */
function sourceOf({ given, env, origins }: Subject): string {
  const name = nameOf(env, URL_NAMES)
  if (given.origin !== undefined || name === undefined) return 'origin of the configuration'
  return origins[name] ? `${name} in ${origins[name]}` : name
}

function examineFixed(subject: Subject, origin: string): Finding[] {
  const { env, given } = subject
  const { protocol, hostname } = new URL(origin)
  const source = sourceOf(subject)
  const url = text(env, nameOf(env, URL_NAMES) ?? '') ?? ''
  const findings = []
  if (isLoopback(hostname) && env['NODE_ENV'] === 'production')
    findings.push(
      about.warning(`${source} says ${origin}, which only this machine can reach.`, SET_URL),
    )
  else if (protocol === 'http:' && !isLoopback(hostname))
    findings.push(
      about.warning(
        `${source} says ${origin}: without https, whoever is on the way reads the sessions.`,
        `Write ${origin.replace('http:', 'https:')}.`,
      ),
    )
  if (given.origin === undefined && /[?#]|\/\/[^/]*@/.test(url))
    findings.push(
      about.warning(
        `${source} has more than an origin and a path, which is not used.`,
        `Write ${origin}.`,
      ),
    )
  return findings.length > 0 ? findings : [about.ok(`${origin}, as ${source} says.`)]
}

/** Which switch lets the Host header count; whether it is true is known. */
function examineTrust({ env, given, config }: Subject): Finding[] {
  const name = trustName(env)
  if (config.trustHost) {
    if (given.trustHost) return [about.ok(`${REQUESTED}, as trustHost of the configuration says.`)]
    if (name !== undefined) return [about.ok(`${REQUESTED}, because ${name} is set.`)]
    return [
      about.warning(
        `${REQUESTED}, because NODE_ENV is ${String(env['NODE_ENV'])}. In production, nothing says which host is right.`,
        `${SET_URL} Vercel and Cloudflare Pages say it themselves.`,
      ),
    ]
  }
  if (given.trustedHosts && given.trustedHosts.length > 0)
    return [about.ok(`${REQUESTED}, if it is one of ${given.trustedHosts.join(', ')}.`)]
  const why =
    name === undefined || given.trustHost === false
      ? 'nothing says which host is right'
      : `${name} says that the Host header cannot be trusted`
  return [
    about.error(
      `${why}: requests are refused with UntrustedHost, but for those of this machine.`,
      SET_URL,
    ),
  ]
}

function unclearSwitches({ env }: Subject): Finding[] {
  return TRUST_NAMES.filter((name) => text(env, name) && flag(env, name) === undefined).map(
    (name) =>
      about.warning(
        `${name} is neither true nor false, so it says nothing.`,
        `Write ${name}=true.`,
      ),
  )
}

/** Says what the origin is, by whose word. An origin that is none is for the validation to say. */
export function examineOrigin(subject: Subject): readonly Finding[] {
  if (subject.config.origin === undefined)
    return [...examineTrust(subject), ...unclearSwitches(subject)]
  const origin = fixedOrigin(subject)
  return origin === undefined ? [] : examineFixed(subject, origin)
}

/** Whether a request for that URL would be answered. */
export function examineAsked({ config, isLoaded }: Subject, url: URL): readonly Finding[] {
  const { origin, trustHost = false, trustedHosts = [] } = config
  try {
    if (isLoaded) publicOrigin(url, new Headers(), { origin, trustHost, trustedHosts })
    return []
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    const { what, write } = adviceOf(error)
    return [about.error(what, write)]
  }
}

/** Says where the routes are, by whose word. */
export function examineBasePath({ given, config, env }: Subject): readonly Finding[] {
  const base = topic('base path')
  const name = nameOf(env, URL_NAMES)
  const url = text(env, name ?? '') ?? ''
  const urlPath = URL.canParse(url) ? normalizeBasePath(new URL(url).pathname) : ''
  const path = normalizeBasePath(config.basePath ?? '')
  const ownPath = given.basePath ? normalizeBasePath(given.basePath) : undefined
  if (ownPath !== undefined && urlPath !== '' && urlPath !== ownPath)
    return [
      base.warning(
        `basePath of the configuration says ${ownPath}, and ${name ?? ''} says ${urlPath}, which is not used.`,
        `Write ${name ?? ''}=${new URL(url).origin}.`,
      ),
    ]
  const source =
    ownPath !== undefined
      ? 'as basePath of the configuration says'
      : urlPath !== ''
        ? `as ${name ?? ''} says`
        : 'which is the default'
  return [base.ok(`${path || '/'}, ${source}.`)]
}
