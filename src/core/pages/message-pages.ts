import type { Problem } from '../log/problem.ts'
import { html, postForm, submitButton } from './html.ts'
import type { HiddenInputs, Html, Markup } from './html.ts'
import { page, siteName } from './layout.ts'
import type { Site } from './layout.ts'
import { say } from './messages.ts'
import type { PageMessage } from './messages.ts'
import { problemBox, PROBLEM_STYLE } from './problem.ts'

interface Form {
  readonly action: string
  readonly hidden: HiddenInputs
}

export interface ConfirmPage extends Form, Site {
  /** `null` if it is not a plain e-mail address. */
  readonly address: string | null
  /** Where the user goes without a sign-in. */
  readonly homeUrl: string
}

export function confirmPage({ action, hidden, address, homeUrl, ...site }: ConfirmPage): Html {
  const { theme } = site
  const cancel = html`<a class="button quiet" href="${homeUrl}">${say(theme, 'cancel')}</a>`
  const strong = html`<strong>${address}</strong>`
  return page({
    title: say(theme, 'confirmTitle', { site: siteName(site) }),
    subtitle: address !== null && say(theme, 'confirmAddress', { address: strong }),
    name: 'verify-request',
    body: html`<p class="status">${say(theme, 'confirmWarning')}</p>
      ${postForm(action, hidden, submitButton(say(theme, 'signIn')))}${cancel}`,
    ...site,
  })
}

export interface SignOutPage extends Form, Site {
  readonly returnTo: string
  /** Name or address of the user; `null` if unknown. */
  readonly user?: string | null
}

export function signOutPage({ action, hidden, returnTo, user = null, ...site }: SignOutPage): Html {
  const { theme } = site
  const stay = html`<a class="button quiet" href="${returnTo}">${say(theme, 'staySignedIn')}</a>`
  return page({
    title: say(theme, 'signOutTitle', { site: siteName(site) }),
    subtitle: user !== null && say(theme, 'signedInAs', { user: html`<strong>${user}</strong>` }),
    name: 'signout',
    body: html`${postForm(action, hidden, submitButton(say(theme, 'signOut')))}${stay}`,
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

interface Text {
  readonly title: PageMessage
  readonly text: PageMessage
  /** The page that the button leads to; the start page if omitted. */
  readonly next?: 'signin'
}

const UNKNOWN: Text = { title: 'errorTitle', text: 'error' }
const UNAVAILABLE = { title: 'unavailableTitle' } as const

const texts: ReadonlyMap<string, Text> = new Map<string, Text>(
  Object.entries({
    Configuration: { title: 'configurationTitle', text: 'configuration' },
    AccessDenied: { title: 'accessDeniedTitle', text: 'accessDenied', next: 'signin' },
    Verification: { title: 'verificationTitle', text: 'verification', next: 'signin' },
    WebAuthnVerificationError: {
      title: 'verificationTitle',
      text: 'passkeyRejected',
      next: 'signin',
    },
    TemporarilyUnavailable: { ...UNAVAILABLE, text: 'temporarilyUnavailable', next: 'signin' },
    SessionUnavailable: { ...UNAVAILABLE, text: 'sessionUnavailable' },
    InvalidRequest: { title: 'invalidRequestTitle', text: 'invalidRequest' },
    ContentTooLarge: { title: 'invalidRequestTitle', text: 'invalidRequest' },
    UnsupportedMediaType: { title: 'invalidRequestTitle', text: 'invalidRequest' },
    RequestTimeout: { ...UNAVAILABLE, text: 'invalidRequest' },
    UnknownAction: { title: 'notFoundTitle', text: 'unknownAction' },
    InvalidProvider: { title: 'notFoundTitle', text: 'invalidProvider', next: 'signin' },
    MethodNotAllowed: { title: 'methodNotAllowedTitle', text: 'methodNotAllowed', next: 'signin' },
  }),
)

function link(url: string | undefined, label: Markup): Markup | null {
  return url === undefined ? null : html`<a class="button primary" href="${url}">${label}</a>`
}

export function errorPage(content: ErrorPage): Html {
  const { error, message, reference, account, problem, signInUrl, homeUrl, ...site } = content
  const { theme } = site
  const code = html`<code>${reference}</code>`
  const { title, text, next } = texts.get(error) ?? UNKNOWN
  const isReplaced = theme.messages?.[text] !== undefined
  const user = account !== undefined && html`<strong>${account}</strong>`
  const refused = user && say(theme, 'accessDeniedFor', { user })
  return page({
    title: say(theme, title),
    subtitle:
      (error === 'AccessDenied' && refused) ||
      (isReplaced || message === undefined ? say(theme, text) : html`${message}`),
    name: 'error',
    body: html`${
      next === 'signin'
        ? link(signInUrl, say(theme, 'signIn'))
        : link(homeUrl, say(theme, 'startPage'))
    }${reference && html`<p class="foot">${say(theme, 'reference', { reference: code })}</p>`}${problemBox(problem)}`,
    style: problem ? PROBLEM_STYLE : '',
    ...site,
  })
}
