/** The box "Keep me signed in": one for all forms and buttons of the sign-in page. */
import { REMEMBER } from '../http/call-options.ts'
import { hiddenInputs, html } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { say } from './messages.ts'
import type { SignInChoice, SignInPage, SubmittedForm } from './sign-in-content.ts'

/** The form to which the box belongs. Buttons of other methods submit it with a URL of their own, so no script is needed. */
const MAIN_FORM = 'main-form'

interface BoxFacts {
  readonly choices: readonly SignInChoice[]
  readonly submitted: SubmittedForm | null
  readonly error: string | null
}

/** Undefined if a form of the application has a field of this name. */
export function boxState({ choices, submitted, error }: BoxFacts): SignInPage['remember'] {
  const hasOwn = choices.some(
    ({ provider: { offer } }) => offer.kind === 'form' && Object.hasOwn(offer.fields, REMEMBER),
  )
  if (hasOwn) return undefined
  const chosen = submitted?.values[REMEMBER]
  // After an error at a provider the choice is unknown, and a box that the user had emptied must not be checked.
  const isFirst = error === null || error === 'SessionRequired'
  return (chosen === undefined ? isFirst : chosen === 'true') ? 'checked' : 'empty'
}

type Content = Pick<SignInPage, 'theme' | 'remember'>

function box({ theme, remember }: Content, id: string | false): Markup {
  return html`<label class="check"
    ><input
      type="checkbox"
      name="${REMEMBER}"
      value="true"
      ${id && html` id="${id}"`}${remember === 'checked' && html` checked`}
    />
    ${say(theme, 'keepSignedIn')}</label
  >`
}

/** In the main form; nothing without the option. */
export function rememberBox(content: Content): Markup | false {
  return content.remember !== undefined && box(content, 'remember')
}

/** In a form whose fields another form must not send. The script copies the box of the page; this one is for browsers without. */
export function boxWithoutScript(content: Content): Markup | false {
  return content.remember !== undefined && html`<noscript>${box(content, false)}</noscript>`
}

/** The attributes of a button that submits the main form to a URL, without the constraints of its fields. */
export function submitsMainForm(url: string): Markup {
  return html`form="${MAIN_FORM}" formaction="${url}" formnovalidate`
}

export function mainForm(action: string, hidden: HiddenInputs, content: Markup): Markup {
  return html`<form id="${MAIN_FORM}" action="${action}" method="post">
    ${hiddenInputs(hidden)}${content}
  </form>`
}

/** The button that the Enter key presses (HTML §4.10.21.2): the first one of the main form. */
export function enterButton(label: Markup, action: string | null): Markup {
  return html`<button
    type="submit"
    class="default"
    form="${MAIN_FORM}"
    ${action !== null && html`formaction="${action}"`}
    tabindex="-1"
    aria-hidden="true"
  >
    ${label}
  </button>`
}

export const REMEMBER_STYLE = `.check { display: flex; align-items: center; gap: 0.5rem; min-height: 1.5rem; margin: 0 0 0.875rem; font-weight: 400; }
.check input { flex: none; margin: 0; }
`

/** Adds the box to forms that do not contain it, when they are submitted (HTML §4.10.22.4). */
export const REMEMBER_SCRIPT = `addEventListener('formdata', ({ formData }) => {
  if (document.getElementById('remember')?.checked) formData.set('remember', 'true')
});`
