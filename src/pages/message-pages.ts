import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html, postForm } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { page } from './layout.ts'

export interface FormPage {
  readonly theme: Theme
  readonly action: string
  readonly hidden: HiddenInputs
}

export interface ConfirmPage extends FormPage {
  /** `null` if it is not a plain e-mail address. */
  readonly address: string | null
  readonly host: string
}

export function confirmPage({ theme, action, hidden, address, host }: ConfirmPage): Html {
  const body = html`<h1>Sign in to ${host}</h1>
    ${address !== null && html`<p>You will be signed in as <strong>${address}</strong>.</p>`}
    ${postForm(action, hidden, html`<button id="submitButton" type="submit" class="button primary">Sign in</button>`)}
    <p class="muted">
      If you did not request this link, close this page. You are not signed in yet.
    </p>`
  return page({ title: 'Confirm Sign In', name: 'verify-request', theme, body })
}

export function signOutPage({ theme, action, hidden }: FormPage): Html {
  const body = html`<h1>Sign out</h1>
    <p>Are you sure you want to sign out?</p>
    ${postForm(action, hidden, html`<button id="submitButton" type="submit" class="button primary">Sign out</button>`)}`
  return page({ title: 'Sign Out', name: 'signout', theme, body })
}

export function verifyRequestPage(theme: Theme, homeUrl: string): Html {
  const body = html`<h1>Check your e-mail</h1>
    <p>A sign-in link was sent to your address. Open it in this browser.</p>
    <p class="muted">No e-mail? Check your spam folder, or request another link.</p>
    <p><a class="site" href="${homeUrl}">${new URL(homeUrl).host}</a></p>`
  return page({ title: 'Verify Request', name: 'verify-request', theme, body })
}

export interface ErrorPage {
  readonly theme: Theme
  readonly error: string
  /** Replaces the text for the error. */
  readonly message?: string | undefined
  /** Absent if the origin of the site is unknown. */
  readonly signInUrl?: string
  readonly homeUrl?: string
}

interface Text {
  readonly heading: string
  readonly sentences: readonly string[]
  /** The page that the button leads to; the start page if omitted. */
  readonly next?: 'signin'
}

const UNKNOWN: Text = {
  heading: 'Error',
  sentences: ['An unexpected error occurred. Go back and try again.'],
}

const texts: ReadonlyMap<string, Text> = new Map<string, Text>(
  Object.entries({
    Configuration: {
      heading: 'Server error',
      sentences: [
        'This site cannot complete the request.',
        'If you operate it, look for the error in the server log.',
      ],
    },
    AccessDenied: {
      heading: 'Access denied',
      sentences: ['You do not have permission to sign in.', 'Try another account.'],
      next: 'signin',
    },
    Verification: {
      heading: 'Unable to sign in',
      sentences: ['The sign-in link has expired or was already used.', 'Request a new one.'],
      next: 'signin',
    },
    TemporarilyUnavailable: {
      heading: 'Try again in a moment',
      sentences: ['The site did not respond in time. Wait a moment, then sign in again.'],
      next: 'signin',
    },
    SessionUnavailable: {
      heading: 'Try again in a moment',
      sentences: ['Your session cannot be read right now. You have not been signed out.'],
    },
    InvalidRequest: {
      heading: 'Bad request',
      sentences: ['The request is incomplete or malformed. Go back and try again.'],
    },
    UnknownAction: { heading: 'Not found', sentences: ['This page does not exist.'] },
    InvalidProvider: {
      heading: 'Not found',
      sentences: ['This sign-in method does not exist. Choose another one.'],
      next: 'signin',
    },
    MethodNotAllowed: {
      heading: 'Not possible',
      sentences: ['This page cannot be opened directly. Start at the sign-in page.'],
      next: 'signin',
    },
  }),
)

function link(url: string | undefined, label: string): Markup | null {
  return url === undefined ? null : html`<a class="button primary" href="${url}">${label}</a>`
}

export function errorPage({ theme, error, message, signInUrl, homeUrl }: ErrorPage): Html {
  const { heading, sentences, next } = texts.get(error) ?? UNKNOWN
  return page({
    title: 'Error',
    name: 'error',
    theme,
    body: html`<h1>${heading}</h1>
      ${(message === undefined ? sentences : [message]).map((sentence) => html`<p>${sentence}</p>`)}${
        next === 'signin' ? link(signInUrl, 'Sign in') : link(homeUrl, 'Go to the start page')
      }`,
  })
}
