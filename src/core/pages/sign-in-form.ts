/** The forms of the sign-in page that do not share a field with others. */
import type { CredentialFields } from '../config/credentials.ts'
import { fieldset, inputId, isAddressField, isPasswordField } from './field.ts'
import type { FormState } from './field.ts'
import { html, postForm } from './html.ts'
import type { Markup } from './html.ts'
import { readText, say } from './messages.ts'
import type { Texts } from './messages.ts'
import { boxWithoutScript, mainForm, rememberBox } from './remember-box.ts'
import { errorText } from './sign-in-error.ts'
import type { SignInChoice, SignInPage } from './sign-in-content.ts'

export interface FormsState {
  /** Id of the form that was rejected. */
  readonly rejected: string | null
  /** Id of the form that was sent last. */
  readonly sent: string | undefined
  readonly offersAutofill: boolean
  readonly hasNotice: boolean
}

export function fieldState(
  content: SignInPage,
  id: string,
  { rejected, hasNotice, offersAutofill }: FormsState,
): Omit<FormState, 'hasFocus'> {
  return {
    id,
    typed: content.rejected?.form === id ? content.rejected.values : {},
    error: rejected === id ? errorText(content) : null,
    notice: hasNotice && 'notice',
    offersAutofill,
  }
}

export function hasPassword({ provider: { offer } }: SignInChoice): boolean {
  const fields = offer.kind === 'form' ? Object.entries(offer.fields) : []
  return fields.some(([name, input]) => isPasswordField(name, input))
}

export function closedLabel({ theme }: SignInPage, choice: SignInChoice): Markup {
  const { name } = choice.provider
  const isUnnamed = /^(?:Credentials|Password)$/.test(name) && hasPassword(choice)
  return isUnnamed ? say(theme, 'usePassword') : say(theme, 'continueWith', { provider: name })
}

/** The fields of a form; the labels of the provider of the library can be translated. */
export function fieldsOf(texts: Texts, { provider: { offer } }: SignInChoice): CredentialFields {
  if (offer.kind !== 'form') return {}
  if (!offer.passwords) return offer.fields
  const email = {
    label: readText(texts, 'emailAddress'),
    placeholder: readText(texts, 'emailPlaceholder'),
  }
  const labels: CredentialFields = { email, password: { label: readText(texts, 'password') } }
  const fields = Object.entries(offer.fields)
  return Object.fromEntries(fields.map(([name, input]) => [name, { ...input, ...labels[name] }]))
}

/** Where a forgotten password is replaced. */
export function forgotLink(
  { theme, passwordPages }: SignInPage,
  { provider: { offer } }: SignInChoice,
): Markup | false {
  if (!passwordPages || offer.kind !== 'form' || !offer.passwords) return false
  return html`<p class="foot">
    <a href="${passwordPages.forgotUrl}">${say(theme, 'forgotPassword')}</a>
  </p>`
}

function form(
  content: SignInPage,
  choice: SignInChoice,
  state: FormState & { readonly isMain: boolean },
): Markup {
  const { isMain } = state
  const { routes } = choice
  const inputs = fieldset(fieldsOf(content.theme, choice), state)
  const label = say(content.theme, 'signIn')
  const box = isMain ? rememberBox(content) : boxWithoutScript(content)
  const submit = html`${box}<button type="submit" class="button primary">${label}</button
    >${forgotLink(content, choice)}`
  const write = isMain && box ? mainForm : postForm
  return write(routes.callbackUrl, content.hidden, html`${inputs}${submit}`)
}

export function openForm(content: SignInPage, choice: SignInChoice, state: FormsState): Markup {
  return form(content, choice, {
    isMain: true,
    hasFocus: true,
    ...fieldState(content, choice.provider.id, state),
  })
}

/** A form that opens with one click, without a script; open if it was sent last. */
export function closedForm(content: SignInPage, choice: SignInChoice, state: FormsState): Markup {
  const { id } = choice.provider
  const isOpen = state.sent === id
  const fields = { isMain: false, hasFocus: isOpen, ...fieldState(content, id, state) }
  return html`<details${isOpen && html` open`}>
    <summary>${closedLabel(content, choice)}</summary>
    ${form(content, choice, fields)}
  </details>`
}

/** The id of the field for an address in the form of the choice; `null` if it has none. */
export function addressFieldOf({ provider: { id, offer } }: SignInChoice): string | null {
  if (offer.kind === 'email') return inputId('email', id)
  const fields = offer.kind === 'form' ? Object.entries(offer.fields) : []
  const [name] = fields.find(([each, input]) => isAddressField(each, input)) ?? []
  return name === undefined ? null : inputId(name, id)
}

/**
 * Creates an account, or a further passkey of a signed-in user; `null` without the code of passkeys. The page has one
 * field for an address: if another form has it, `address` is its id.
 */
export function passkeyCreation(
  { theme, hidden, passkeys }: SignInPage,
  { provider: { id, offer }, routes: { callbackUrl } }: SignInChoice,
  address: string | null,
): Markup | null {
  if (offer.kind !== 'passkey' || !passkeys) return null
  const { routesUrl, isSignedIn, forms } = passkeys
  const all = forms.passkeyFields(theme, offer.fields)
  const { email, ...others } = all
  const isShared = address !== null && email !== undefined && isAddressField('email', email)
  const fields = isShared ? others : all
  const state = { id, typed: {}, error: null, hasFocus: false }
  const inputs = isSignedIn ? [] : fieldset(fields, state)
  const { autofill } = offer
  return forms.passkeyForm(theme, {
    id,
    callbackUrl,
    routesUrl,
    hidden,
    inputs,
    autofill,
    isSignedIn,
    address: isShared && !isSignedIn ? address : null,
  })
}
