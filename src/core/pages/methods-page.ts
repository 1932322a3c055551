/** After a reset of the password: what else can sign in to the account. */
import { html, postForm } from './html.ts'
import type { Html, HiddenInputs, Markup } from './html.ts'
import { page } from './layout.ts'
import type { Site } from './layout.ts'
import { readText, say } from './messages.ts'
import type { Texts } from './messages.ts'
import { tell } from './password-pages.ts'

export interface MethodItem {
  /** Name of the provider; `null`: a passkey. */
  readonly provider: string | null
  /** The address of the account, or the name of the passkey. */
  readonly detail: string | null
  /** `null`: unknown. */
  readonly added: Date | null
  /** Fields that name the method. */
  readonly fields: HiddenInputs
}

export interface MethodsPage extends Site {
  readonly action: string
  readonly hidden: HiddenInputs
  readonly items: readonly MethodItem[]
  readonly isRemoved: boolean
  readonly homeUrl: string
}

const STYLE = `.methods { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.methods li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; padding: 0.75rem 0; border-top: 1px solid var(--separator); }
.methods div { flex: 1 1 9rem; min-width: 0; overflow-wrap: anywhere; }
.methods small { display: block; color: var(--muted); }
`

function dateText(texts: Texts, date: Date): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
  try {
    return date.toLocaleDateString(readText(texts, 'lang'), options)
  } catch {
    // `lang` is a text of the application, and may be no language tag.
    return date.toLocaleDateString('en', options)
  }
}

function row({ theme, action, hidden }: MethodsPage, item: MethodItem, index: number): Markup {
  const { provider, detail, added, fields } = item
  const label = `method-${index}`
  const button = html`<button type="submit" class="link" aria-describedby="${label}">
    ${tell(theme, 'methodsRemove')}
  </button>`
  return html`<li>
    <div id="${label}">
      ${provider ?? tell(theme, 'methodsPasskey')}${detail !== null && html`<small>${detail}</small>`}${
        added &&
        html`<small>${tell(theme, 'methodsAdded', { date: dateText(theme, added) })}</small>`
      }
    </div>
    ${postForm(action, { ...hidden, ...fields }, button)}
  </li>`
}

export function methodsPage(content: MethodsPage): Html {
  const { theme, items, isRemoved, homeUrl } = content
  const status =
    isRemoved && html`<p class="status" role="status">${tell(theme, 'methodsRemoved')}</p>`
  const list =
    items.length > 0 &&
    html`<ul class="methods">
      ${items.map((item, index) => row(content, item, index))}
    </ul>`
  return page({
    ...content,
    title: tell(theme, 'methodsTitle'),
    subtitle: tell(theme, items.length > 0 ? 'methodsText' : 'methodsNone'),
    name: 'password',
    style: STYLE,
    body: html`${status}${list}<a class="button primary" href="${homeUrl}"
        >${say(theme, 'startPage')}</a
      >`,
  })
}
