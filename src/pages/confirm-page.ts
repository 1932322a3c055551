import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { hiddenInputs, html } from './html.ts'
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
  const { theme, address, displayedAddress, token, csrfToken, action, returnTo, host } = content
  return page({
    title: 'Confirm Sign In',
    name: 'verify-request',
    theme,
    forms: 'anywhere',
    body: html`<h1>Sign in to ${host}</h1>
      ${displayedAddress !== null && html`<p>You will be signed in as <strong>${displayedAddress}</strong>.</p>`}
      <form action="${action}" method="post">
        ${hiddenInputs({ csrfToken, token, email: address, callbackUrl: returnTo })}
        <button id="submitButton" type="submit" class="button primary">Sign in</button>
      </form>
      <p class="muted">
        If you did not request this link, close this page. You are not signed in yet.
      </p>`,
  })
}
