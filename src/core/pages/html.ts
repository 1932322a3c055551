/** HTML that is not escaped again. All other values are escaped. */
export interface Markup {
  readonly markup: string
}

export interface Html {
  readonly text: string
  readonly policy: string
  /** Whether the policy allows frames of other sites. */
  readonly isFramed?: true
}

type Part = string | number | Markup | null | undefined | false | readonly Markup[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part !== 'object') return escape(String(part))
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Template tag: escapes interpolated values except {@link Markup}. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, part] of parts.entries()) markup += render(part) + (strings[index + 1] ?? '')
  return { markup }
}

/** Characters of a name or an address that fit into one line of every screen. */
const LINE = 24

/** A name or an address. One that is longer than a line breaks after its `@` and the dots of its domain. */
export function strong(value: unknown): Markup {
  // The application may have set another value in a session.
  const text = String(value)
  const domain = text.length > LINE ? text.lastIndexOf('@') + 1 : 0
  const parts = domain > 0 ? text.slice(domain).split(/(?<=\.)/) : []
  const rest = parts.map((part) => html`<wbr />${part}`)
  return html`<strong>${domain > 0 ? text.slice(0, domain) : text}${rest}</strong>`
}

/** Values by name; `null` renders no input. */
export type HiddenInputs = Readonly<Record<string, string | null>>

export function hiddenInputs(values: HiddenInputs): Markup[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : html`<input type="hidden" name="${name}" value="${value}" />`,
  )
}

export interface PostForm {
  readonly action: string
  readonly hidden: HiddenInputs
}

export function postForm(action: string, hidden: HiddenInputs, content: Markup): Markup {
  return html`<form action="${action}" method="post">${hiddenInputs(hidden)}${content}</form>`
}

export function submitButton(label: Markup): Markup {
  return html`<button id="submitButton" type="submit" class="button primary">${label}</button>`
}

const ATTRIBUTE_NAME = /^[a-z][a-z0-9-]*$/

/** Renders attributes; `true` renders a name without a value, invalid names and event handlers are dropped. */
export function attributes(values: Readonly<Record<string, unknown>>): Markup {
  let markup = ''
  for (const [name, value] of Object.entries(values)) {
    if (!ATTRIBUTE_NAME.test(name) || name.startsWith('on')) continue
    if (value === true) markup += ` ${name}`
    else if (typeof value === 'string' || typeof value === 'number')
      markup += ` ${name}="${escape(String(value))}"`
  }
  return { markup }
}
