import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

export interface ConfirmPage {
  readonly theme: Theme
  readonly address: string
  /** The address to display; `null` if it is not a plain address. */
  readonly shown: string | null
  readonly token: string
  readonly csrfToken: string | null
  readonly action: string
  readonly returnTo: string
  readonly host: string
}

export function confirmPage(content: ConfirmPage): Html {
  const { theme, address, shown, token, csrfToken, action, returnTo, host } = content
  return page({
    title: 'Confirm Sign In',
    name: 'verify-request',
    theme,
    forms: 'anywhere',
    body: html`<h1>Sign in to ${host}</h1>
      ${shown !== null && html`<p>You will be signed in as <strong>${shown}</strong>.</p>`}
      <form action="${action}" method="post">
        ${csrfToken !== null && html`<input type="hidden" name="csrfToken" value="${csrfToken}" />`}
        <input type="hidden" name="token" value="${token}" />
        <input type="hidden" name="email" value="${address}" />
        <input type="hidden" name="callbackUrl" value="${returnTo}" />
        <button id="submitButton" type="submit" class="button primary">Sign in</button>
      </form>
      <p class="muted">If you did not ask for this, close this page. Nothing has happened yet.</p>`,
  })
}
