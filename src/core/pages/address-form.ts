/** The form with the one field for an e-mail address: for a mail, and for a password. */
import type { CredentialFields } from '../config/credentials.ts'
import { normalizeAttributes, fieldset, isAddressField } from './field.ts'
import { html, postForm } from './html.ts'
import type { Markup } from './html.ts'
import { say, readText } from './messages.ts'
import type { Texts } from './messages.ts'
import { mainForm, rememberBox } from './remember-box.ts'
import { errorText } from './sign-in-error.ts'
import { closedLabel, fieldsOf, fieldState, forgotLink, hasPassword } from './sign-in-form.ts'
import type { FormsState } from './sign-in-form.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'

interface AddressMethods {
  readonly emails: readonly SignInChoice[]
  readonly main: SignInChoice
  readonly password: SignInChoice | undefined
}

function furtherFields(texts: Texts, choice: SignInChoice): CredentialFields {
  const fields = Object.entries(fieldsOf(texts, choice))
  return Object.fromEntries(fields.filter(([name]) => name !== 'email'))
}

/** Whether the form has the field that providers of type `email` receive, and others. */
export function sharesAddress(choice: SignInChoice): boolean {
  const { offer } = choice.provider
  const { email } = offer.kind === 'form' ? offer.fields : {}
  const hasMore = Object.keys(furtherFields({}, choice)).length > 0
  return email !== undefined && isAddressField('email', email) && hasMore
}

const EMAIL_NAME = /^e-?mail$/i

/** What the page calls a provider: a mail service that the application has not named is unknown to visitors. */
function shownName({ provider: { name, offer } }: SignInChoice, count: number): string {
  const isService = offer.kind === 'email' && offer.isUnnamed && count === 1
  return isService || EMAIL_NAME.test(name) ? 'e-mail' : name
}

function emailLabel(texts: Texts, choice: SignInChoice, emails: readonly SignInChoice[]): Markup {
  const provider = shownName(choice, emails.length)
  const label = say(texts, provider === 'e-mail' ? 'continueWithEmail' : 'continueWith', {
    provider,
  })
  const same = emails.filter((each) => shownName(each, emails.length) === provider)
  return same.length > 1 ? html`${label} (${choice.provider.id})` : label
}

/** Constraints of a closed field would keep the browser from sending the form without saying why. */
const CONSTRAINTS = /^(?:required|pattern|min|max|minlength|maxlength|step)$/

function withoutConstraints(fields: CredentialFields): CredentialFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, input]) => {
      const given = normalizeAttributes(name, input)
      const kept = Object.entries(given).filter(([key]) => !CONSTRAINTS.test(key))
      const isPassword = given['type'] === 'password'
      return [
        name,
        { ...(isPassword && { autocomplete: 'current-password' }), ...Object.fromEntries(kept) },
      ]
    }),
  )
}

/** Where the Enter key sends the form of an address and a password. */
export function enterAction({ routes }: SignInChoice, password: SignInChoice): string {
  return `${routes.signinUrl}?or=${encodeURIComponent(password.provider.id)}`
}

/**
 * The button that the Enter key presses (HTML §4.10.21.2), first in the form: the route signs in with the password if
 * one was typed.
 */
function defaultButton(main: SignInChoice, password: SignInChoice, label: Markup): Markup {
  const action = enterAction(main, password)
  return html`<button
    type="submit"
    class="default"
    formaction="${action}"
    tabindex="-1"
    aria-hidden="true"
  >
    ${label}
  </button>`
}

function passwordDetails(content: SignInPage, choice: SignInChoice, state: FormsState): Markup {
  const {
    provider: { id },
    routes,
  } = choice
  const isOpen = state.sent === id
  const fields = { ...fieldState(content, id, state), hasFocus: isOpen, offersAutofill: false }
  const label = say(content.theme, hasPassword(choice) ? 'passwordSignIn' : 'signIn')
  return html`<details${isOpen && html` open`}>
    <summary>${closedLabel(content, choice)}</summary>
    ${fieldset(withoutConstraints(furtherFields(content.theme, choice)), fields)}<button
      type="submit"
      class="button${isOpen && html` primary`}"
      formaction="${routes.callbackUrl}"
    >
      ${label}</button
    >${forgotLink(content, choice)}
  </details>`
}

function addressField(
  content: SignInPage,
  { emails, main, password }: AddressMethods,
  state: FormsState,
): Markup[] {
  const { theme, rejected } = content
  const ids = new Set(
    [...emails, ...(password ? [password] : [])].map(({ provider }) => provider.id),
  )
  const isTyped = rejected && ids.has(rejected.form)
  const isFormOpen = content.choices.some(
    ({ provider }) => provider.id === state.sent && provider.offer.kind === 'form',
  )
  const isRejected = emails.some(({ provider: { id } }) => id === state.rejected)
  const email = {
    type: 'email',
    value: content.email ?? '',
    label: readText(theme, 'emailAddress'),
    placeholder: readText(theme, 'emailPlaceholder'),
    autoComplete: password || state.offersAutofill ? 'username' : 'email',
    maxLength: 254,
    required: true,
  }
  return fieldset(
    { email },
    {
      ...fieldState(content, main.provider.id, state),
      typed: isTyped ? rejected.values : {},
      error: isRejected ? errorText(content) : null,
      hasFocus: !isFormOpen,
    },
  )
}

export function addressForm(
  content: SignInPage,
  { emails, main, password }: AddressMethods,
  state: FormsState,
): Markup {
  const { theme, hidden } = content
  const hasPrimary = password === undefined || state.sent !== password.provider.id
  const buttons = emails.map((each) => {
    const primary = each === main && hasPrimary && html` primary`
    const action = each !== main && html` formaction="${each.routes.signinUrl}"`
    return html`<button type="submit" class="button${primary}" ${action}>
      ${emailLabel(theme, each, emails)}
    </button>`
  })
  const box = rememberBox(content)
  const label = emailLabel(theme, main, emails)
  const first = password && !box && defaultButton(main, password, label)
  const inputs = addressField(content, { emails, main, password }, state)
  const details = password && passwordDetails(content, password, state)
  const write = box ? mainForm : postForm
  return write(main.routes.signinUrl, hidden, html`${first}${inputs}${box}${buttons}${details}`)
}
