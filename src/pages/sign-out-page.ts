import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { hiddenInputs, html } from './html.ts'
import { page } from './layout.ts'

export interface SignOutPage {
  readonly theme: Theme
  readonly csrfToken: string | null
  readonly signoutUrl: string
  readonly returnTo: string
}

export function signOutPage({ theme, csrfToken, signoutUrl, returnTo }: SignOutPage): Html {
  return page({
    title: 'Sign Out',
    name: 'signout',
    theme,
    forms: 'anywhere',
    body: html`<h1>Sign out</h1>
      <p>Are you sure you want to sign out?</p>
      <form action="${signoutUrl}" method="post">
        ${hiddenInputs({ csrfToken, callbackUrl: returnTo })}
        <button id="submitButton" type="submit" class="button primary">Sign out</button>
      </form>`,
  })
}
