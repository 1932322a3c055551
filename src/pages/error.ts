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
  /** Absent if the origin of the site is not known. */
  readonly signInUrl?: string
  readonly homeUrl?: string
}

interface Text {
  readonly heading: string
  readonly sentences: readonly string[]
  readonly next: 'signin' | 'home'
}

const UNKNOWN: Text = {
  heading: 'Error',
  sentences: ['Something went wrong, and nothing was changed.'],
  next: 'home',
}

const texts: ReadonlyMap<string, Text> = new Map<string, Text>([
  [
    'Configuration',
    {
      heading: 'Server error',
      sentences: [
        'There is a problem with the server configuration.',
        'Check the server logs for more information.',
      ],
      next: 'home',
    },
  ],
  [
    'AccessDenied',
    {
      heading: 'Access denied',
      sentences: ['You do not have permission to sign in.'],
      next: 'signin',
    },
  ],
  [
    'Verification',
    {
      heading: 'Unable to sign in',
      sentences: ['The sign-in link is no longer valid.', 'It may have been used or has expired.'],
      next: 'signin',
    },
  ],
  [
    'TemporarilyUnavailable',
    {
      heading: 'Try again in a moment',
      sentences: ['Something we depend on did not answer in time. Nothing was lost.'],
      next: 'signin',
    },
  ],
  [
    'SessionUnavailable',
    {
      heading: 'Try again in a moment',
      sentences: ['We cannot tell right now who is signed in. You have not been signed out.'],
      next: 'home',
    },
  ],
  [
    'InvalidRequest',
    {
      heading: 'Bad request',
      sentences: ['The request is incomplete or malformed.', 'Nothing was changed.'],
      next: 'home',
    },
  ],
  ['UnknownAction', { heading: 'Not found', sentences: ['There is no such page.'], next: 'home' }],
  [
    'InvalidProvider',
    { heading: 'Not found', sentences: ['There is no such way to sign in.'], next: 'signin' },
  ],
  [
    'MethodNotAllowed',
    {
      heading: 'Not possible',
      sentences: ['This page cannot be opened that way.'],
      next: 'signin',
    },
  ],
])

function link(url: string | undefined, label: string): Markup | null {
  return url === undefined ? null : html`<a class="button primary" href="${url}">${label}</a>`
}

export function errorPage({ theme, error, message, signInUrl, homeUrl }: ErrorPage): Html {
  const { heading, sentences, next } = texts.get(error) ?? UNKNOWN
  return page({
    title: 'Error',
    name: 'error',
    theme,
    forms: 'none',
    body: html`<h1>${heading}</h1>
      ${(message === undefined ? sentences : [message]).map((sentence) => html`<p>${sentence}</p>`)}${
        next === 'signin' ? link(signInUrl, 'Sign in') : link(homeUrl, 'Go to the start page')
      }`,
  })
}
