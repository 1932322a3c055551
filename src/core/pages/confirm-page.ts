/** The pages of the links in mails about a change of the e-mail address. */
import { html, postForm, strong, submitButton } from './html.ts'
import type { Html, PostForm } from './html.ts'
import { page } from './layout.ts'
import type { Site } from './layout.ts'
import { say } from './messages.ts'
import type { PageMessage } from './messages.ts'

export interface ConfirmChangePage extends PostForm, Site {
  readonly kind: 'change' | 'undo'
  /** The address that the user gets. */
  readonly address: string
  /** Where the user goes without a change. */
  readonly homeUrl: string
}

export function confirmChangePage(content: ConfirmChangePage): Html {
  const { kind, action, hidden, address, homeUrl, ...site } = content
  const { theme } = site
  const cancel = html`<a class="button quiet" href="${homeUrl}">${say(theme, 'cancel')}</a>`
  const button = submitButton(say(theme, `${kind}Button`))
  return page({
    title: say(theme, `${kind}Title`),
    subtitle: say(theme, `${kind}Text`, { address: strong(address) }),
    name: 'confirm',
    body: html`${kind === 'change' && html`<p class="status">${say(theme, 'changeWarning')}</p>`}
    ${postForm(action, hidden, button)}${cancel}`,
    ...site,
  })
}

export interface ChangedPage extends Site {
  readonly state: 'waiting' | 'changed' | 'restored'
  readonly address: string
  readonly signInUrl: string
  readonly homeUrl: string
}

const TEXTS: Readonly<Record<ChangedPage['state'], readonly [PageMessage, PageMessage]>> = {
  waiting: ['changeWaitingTitle', 'changeWaiting'],
  changed: ['changedTitle', 'changed'],
  restored: ['restoredTitle', 'restored'],
}

export function changedPage({ state, address, signInUrl, homeUrl, ...site }: ChangedPage): Html {
  const { theme } = site
  const [title, text] = TEXTS[state]
  const [url, label] =
    state === 'restored' ? ([signInUrl, 'signIn'] as const) : ([homeUrl, 'startPage'] as const)
  return page({
    title: say(theme, title),
    subtitle: say(theme, text, { address: strong(address) }),
    name: 'confirm',
    body: html`<a class="button primary" href="${url}">${say(theme, label)}</a>`,
    ...site,
  })
}
