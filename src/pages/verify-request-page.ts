import type { Theme } from '../config/types.ts'
import type { Html } from '../contracts.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

export interface VerifyRequestPage {
  readonly theme: Theme
  readonly homeUrl: string
}

export function verifyRequestPage({ theme, homeUrl }: VerifyRequestPage): Html {
  return page({
    title: 'Verify Request',
    name: 'verify-request',
    theme,
    forms: 'none',
    body: html`<h1>Check your e-mail</h1>
      <p>A sign-in link was sent to your address. Open it in this browser.</p>
      <p class="muted">No e-mail? Check your spam folder, or request another link.</p>
      <p><a class="site" href="${homeUrl}">${new URL(homeUrl).host}</a></p>`,
  })
}
