/** What cookies are called, and how browsers are told to keep them. */
import { cookiePolicy } from '../../config/cookies.ts'
import type { Security } from '../../cookies/names.ts'
import type { CookiePolicy } from '../../cookies/policy.ts'
import type { CookieOption } from '../../types.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import { fixedOrigin } from './origin.ts'
import type { Subject } from './subject.ts'

const about = topic('cookies')

/** The cookies on an origin. */
export function cookiesOn(origin: string, { config }: Pick<Subject, 'config'>): CookiePolicy {
  const isSecure = config.useSecureCookies ?? origin.startsWith('https:')
  return cookiePolicy(isSecure ? 'secure' : 'plain', config)
}

function attributes({ options }: CookieOption): string {
  const { secure, httpOnly, sameSite, path, domain } = options
  const site = sameSite === true ? 'strict' : sameSite
  return [
    secure && 'Secure',
    httpOnly && 'HttpOnly',
    site && `SameSite=${site[0]?.toUpperCase() ?? ''}${site.slice(1)}`,
    path && `Path=${path}`,
    domain && `Domain=${domain}`,
  ]
    .filter(Boolean)
    .join('; ')
}

function describe(security: Security, { config }: Subject): string {
  const { sessionToken, csrfToken } = cookiePolicy(security, config)
  return `${sessionToken.name} holds the session (${attributes(sessionToken)}), ${csrfToken.name} protects forms`
}

function weaknesses(security: Security, { config }: Subject): Finding[] {
  const { sessionToken } = cookiePolicy(security, config)
  const { httpOnly, sameSite } = sessionToken.options
  const findings = []
  if (httpOnly === false)
    findings.push(
      about.error(
        `${sessionToken.name} is not HttpOnly: every script on a page can take the session along.`,
        'Leave httpOnly out of cookies.sessionToken.options.',
      ),
    )
  if (sameSite === 'none' || sameSite === false)
    findings.push(
      about.warning(
        `${sessionToken.name} is sent with requests of other sites.`,
        'Leave sameSite out of cookies.sessionToken.options, unless pages of other sites show yours in a frame.',
      ),
    )
  return findings
}

/** Says which cookies there will be. What browsers would refuse is for the validation to say. */
export function examineCookies(subject: Subject): readonly Finding[] {
  const { useSecureCookies } = subject.config
  const origin = fixedOrigin(subject)
  const isHttps = origin?.startsWith('https:')
  if (useSecureCookies === false && isHttps !== false)
    return [
      about.error(
        'useSecureCookies is false: browsers send the session over http, too, where anybody can read it.',
        'Leave useSecureCookies out: cookies are Secure wherever the site is on https.',
      ),
    ]
  if (useSecureCookies === true && isHttps === false)
    return [
      about.error(
        `useSecureCookies is true, and ${origin ?? ''} is not on https: browsers keep no such cookie, so nobody can sign in.`,
        'Leave useSecureCookies out.',
      ),
    ]
  const security = useSecureCookies === true || isHttps !== false ? 'secure' : 'plain'
  const isEither = origin === undefined && useSecureCookies === undefined
  const plain = isEither
    ? `; on http they are called ${cookiePolicy('plain', subject.config).sessionToken.name} and so on, without Secure`
    : ''
  return [about.ok(`${describe(security, subject)}${plain}.`), ...weaknesses(security, subject)]
}
