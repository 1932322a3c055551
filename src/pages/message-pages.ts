import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html, postForm } from './html.ts'
import type { HiddenInputs } from './html.ts'
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
