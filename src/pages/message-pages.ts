/** Pages with a message, and at most one button to confirm it. */
import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html, postForm } from './html.ts'
import { page } from './layout.ts'

export interface ConfirmPage {
  readonly theme: Theme
  readonly address: string
  /** `null` if it is not a plain address. */
  readonly displayedAddress: string | null
  readonly token: string
  readonly csrfToken: string | null
  readonly action: string
  readonly returnTo: string
  readonly host: string
}

export function confirmPage(content: ConfirmPage): Html {
  const {
    theme,
    address: email,
    displayedAddress,
    token,
    csrfToken,
    action,
    returnTo,
    host,
  } = content
  const hidden = { csrfToken, token, email, callbackUrl: returnTo }
  const body = html`<h1>Sign in to ${host}</h1>
    ${displayedAddress !== null && html`<p>You will be signed in as <strong>${displayedAddress}</strong>.</p>`}
    ${postForm(action, hidden, html`<button id="submitButton" type="submit" class="button primary">Sign in</button>`)}
    <p class="muted">
      If you did not request this link, close this page. You are not signed in yet.
    </p>`
  return page({ title: 'Confirm Sign In', name: 'verify-request', theme, body })
}

export interface SignOutPage {
  readonly theme: Theme
  readonly csrfToken: string | null
  readonly signoutUrl: string
  readonly returnTo: string
}

export function signOutPage({ theme, csrfToken, signoutUrl, returnTo }: SignOutPage): Html {
  const hidden = { csrfToken, callbackUrl: returnTo }
  const body = html`<h1>Sign out</h1>
    <p>Are you sure you want to sign out?</p>
    ${postForm(signoutUrl, hidden, html`<button id="submitButton" type="submit" class="button primary">Sign out</button>`)}`
  return page({ title: 'Sign Out', name: 'signout', theme, body })
}

export function verifyRequestPage(theme: Theme, homeUrl: string): Html {
  const body = html`<h1>Check your e-mail</h1>
    <p>A sign-in link was sent to your address. Open it in this browser.</p>
    <p class="muted">No e-mail? Check your spam folder, or request another link.</p>
    <p><a class="site" href="${homeUrl}">${new URL(homeUrl).host}</a></p>`
  return page({ title: 'Verify Request', name: 'verify-request', theme, body })
}
