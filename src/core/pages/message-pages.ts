import type { Problem } from '../log/problem.ts'
import { html, postForm, strong, submitButton } from './html.ts'
import type { Html, Markup, PostForm } from './html.ts'
import { page, siteName } from './layout.ts'
import type { Site } from './layout.ts'
import { say } from './messages.ts'
import type { PageMessage } from './messages.ts'
import { problemBox, PROBLEM_STYLE } from './problem.ts'

export interface ConfirmPage extends PostForm, Site {
  /** `null` if it is not a plain e-mail address. */
  readonly address: string | null
  /** Where the user goes without a sign-in. */
  readonly homeUrl: string
}

export function confirmPage({ action, hidden, address, homeUrl, ...site }: ConfirmPage): Html {
  const { theme } = site
  const cancel = html`<a class="button quiet" href="${homeUrl}">${say(theme, 'cancel')}</a>`
  return page({
    title: say(theme, 'confirmTitle', { site: siteName(site) }),
    subtitle: address !== null && say(theme, 'confirmAddress', { address: strong(address) }),
    name: 'verify-request',
    body: html`<p class="status">${say(theme, 'confirmWarning')}</p>
      ${postForm(action, hidden, submitButton(say(theme, 'signIn')))}${cancel}`,
    ...site,
  })
}

export interface SignOutPage extends PostForm, Site {
  readonly returnTo: string
  /** Name or address of the user; `null` if unknown. */
  readonly user?: string | null
}

export function signOutPage({ action, hidden, returnTo, user = null, ...site }: SignOutPage): Html {
  const { theme } = site
  const stay = html`<a class="button quiet" href="${returnTo}">${say(theme, 'staySignedIn')}</a>`
  return page({
    title: say(theme, 'signOutTitle', { site: siteName(site) }),
    subtitle: user !== null && say(theme, 'signedInAs', { user: strong(user) }),
    name: 'signout',
    body: html`${postForm(action, hidden, submitButton(say(theme, 'signOut')))}${stay}`,
    ...site,
  })
}

export interface SignedOutPage extends Site {
  readonly title: 'notSignedIn' | 'signedOutTitle'
  readonly signInUrl: string
  readonly homeUrl: string
}

/** Instead of the sign-out page for a browser without a session, and after a sign-out that leads nowhere. */
export function signedOutPage({ title, signInUrl, homeUrl, ...site }: SignedOutPage): Html {
  const { theme } = site
  const home = html`<a class="button quiet" href="${homeUrl}">${say(theme, 'startPage')}</a>`
  return page({
    title: say(theme, title),
    name: 'signout',
    body: html`${link(signInUrl, say(theme, 'signIn'))}${home}`,
    ...site,
  })
}

export interface ErrorPage extends Site {
  readonly error: string
  /** English; replaces the text for the error, unless the application has set its own. */
  readonly message?: string | undefined
  /** Names the error in the log. */
  readonly reference?: string | undefined
  /** Name or address of the account that was refused. */
  readonly account?: string | undefined
  /** What the log contains. Only in development. */
  readonly problem?: Problem | null
  /** Absent if the origin of the site is unknown. */
  readonly signInUrl?: string
  readonly homeUrl?: string
}

/** Title, text, and whether the button leads to the sign-in page instead of the start page. */
type Text = readonly [title: PageMessage, text: PageMessage, next?: 'signIn']

const texts: ReadonlyMap<string, Text> = new Map<string, Text>([
  ['Configuration', ['configurationTitle', 'configuration']],
  ['AddressChangeError', ['changeFailedTitle', 'changeFailed', 'signIn']],
  ['AccessDenied', ['accessDeniedTitle', 'accessDenied', 'signIn']],
  ['Verification', ['verificationTitle', 'verification', 'signIn']],
  ['WebAuthnVerificationError', ['verificationTitle', 'passkeyRejected', 'signIn']],
  ['TemporarilyUnavailable', ['unavailableTitle', 'temporarilyUnavailable', 'signIn']],
  ['SessionUnavailable', ['unavailableTitle', 'sessionUnavailable']],
  ['InvalidRequest', ['invalidRequestTitle', 'invalidRequest']],
  ['ContentTooLarge', ['invalidRequestTitle', 'invalidRequest']],
  ['UnsupportedMediaType', ['invalidRequestTitle', 'invalidRequest']],
  ['RequestTimeout', ['unavailableTitle', 'invalidRequest']],
  ['UnknownAction', ['notFoundTitle', 'unknownAction']],
  ['InvalidProvider', ['notFoundTitle', 'invalidProvider', 'signIn']],
  ['MethodNotAllowed', ['methodNotAllowedTitle', 'methodNotAllowed', 'signIn']],
])

function link(url: string | undefined, label: Markup): Markup | null {
  return url === undefined ? null : html`<a class="button primary" href="${url}">${label}</a>`
}

export function errorPage(content: ErrorPage): Html {
  const { error, message, reference, account, problem, signInUrl, homeUrl, ...site } = content
  const { theme } = site
  const code = html`<code>${reference}</code>`
  const [title, text, next] = texts.get(error) ?? ['errorTitle', 'error']
  const isReplaced = theme.messages?.[text] !== undefined
  const user = account !== undefined && strong(account)
  const refused = user && say(theme, 'accessDeniedFor', { user })
  return page({
    title: say(theme, title),
    subtitle:
      (error === 'AccessDenied' && refused) ||
      (isReplaced || message === undefined ? say(theme, text) : html`${message}`),
    name: 'error',
    body: html`${
      next === 'signIn'
        ? link(signInUrl, say(theme, 'signIn'))
        : link(homeUrl, say(theme, 'startPage'))
    }${reference && html`<p class="foot">${say(theme, 'reference', { reference: code })}</p>`}${problemBox(problem)}`,
    style: problem ? PROBLEM_STYLE : '',
    ...site,
  })
}
