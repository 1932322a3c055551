/** HTML that is not escaped again. All other values are escaped. */
export interface Markup {
  readonly markup: string
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

function isList(part: Part): part is readonly Markup[] {
  return Array.isArray(part)
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (isList(part)) return part.map(({ markup }) => markup).join('')
  return typeof part === 'object' ? part.markup : escape(String(part))
}

/** Template tag: escapes interpolated values except {@link Markup}. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, part] of parts.entries()) markup += render(part) + (strings[index + 1] ?? '')
  return { markup }
}

/** Renders hidden inputs of a form; `null` renders none. */
export function hiddenInputs(values: Readonly<Record<string, string | null>>): Markup[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : html`<input type="hidden" name="${name}" value="${value}" />`,
  )
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
