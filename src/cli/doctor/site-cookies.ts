/** Whether cookies arrive as the site sent them. */
import { isLoopback } from '../../http/origin.ts'
import type { Answer } from './ask.ts'
import { cookiesOn } from './cookies.ts'
import { topic } from './finding.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

const about = topic('site')

interface SentCookie {
  readonly name: string
  /** In lower case. */
  readonly attributes: readonly string[]
}

/** A Set-Cookie header, without the value (RFC 6265 §4.1). */
function read(header: string): SentCookie {
  const [pair = '', ...attributes] = header.split(';')
  return {
    name: pair.split('=')[0]?.trim() ?? '',
    attributes: attributes.map((attribute) => attribute.trim().toLowerCase()),
  }
}

function examineFlags({ name, attributes }: SentCookie, url: URL): Finding[] {
  const findings = []
  if (url.protocol === 'https:' && !attributes.includes('secure'))
    findings.push(
      about.error(
        `its cookie ${name} is not Secure although it is asked over https: it takes itself for a site on http.`,
        `Set AUTH_URL=${url.origin} where it runs, or let the proxy in front of it send X-Forwarded-Proto: https.`,
      ),
    )
  if (!attributes.includes('httponly'))
    findings.push(
      about.error(
        `its cookie ${name} is not HttpOnly: every script on a page can read it.`,
        'Let nothing in front of the site change cookies, and leave httpOnly out of cookies in the configuration.',
      ),
    )
  if (!attributes.some((each) => /^samesite=(?:lax|strict)$/.test(each)))
    findings.push(
      about.warning(
        `its cookie ${name} is sent with requests of other sites.`,
        'Let nothing in front of the site change cookies, and leave sameSite out of cookies in the configuration.',
      ),
    )
  return findings
}

/** Looks at the cookie that a CSRF token comes with. */
export function examineCsrfCookie({ url, headers }: Answer, subject: Subject): readonly Finding[] {
  const expected = cookiesOn(url.origin, subject).csrfToken.name
  const sent = headers.getSetCookie().map(read)
  const cookie =
    sent.find(({ name }) => name === expected) ?? sent.find(({ name }) => /csrf/i.test(name))
  if (!cookie)
    return [
      about.error(
        `${url.href} sets no cookie, so every form is refused.`,
        'Let whatever is in front of the site pass Set-Cookie on.',
      ),
    ]
  const findings = examineFlags(cookie, url)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    findings.push(
      about.warning(
        `${url.origin} is not on https: whoever is on the way reads the sessions.`,
        'Serve it over https, and set AUTH_URL to that URL where it runs.',
      ),
    )
  if (cookie.name !== expected && findings.length === 0)
    findings.push(
      about.warning(
        `its cookie is called ${cookie.name}, and by the configuration here it would be ${expected}.`,
        'Deploy what is here, or look at the configuration that runs there.',
      ),
    )
  return findings.length > 0
    ? findings
    : [about.ok(`its cookies arrive as they should: ${cookie.name}.`)]
}
