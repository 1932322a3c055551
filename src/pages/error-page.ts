import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html } from './html.ts'
import type { Markup } from './html.ts'
import { page } from './layout.ts'

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
