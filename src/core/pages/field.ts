import type { CredentialFields } from '../config/credentials.ts'
import { attributes, html } from './html.ts'
import type { Markup } from './html.ts'

export interface FormState {
  readonly id: string
  readonly typed: Readonly<Record<string, string>>
  readonly error: Markup | null
  readonly hasFocus: boolean
  /** Id of the message that is read out with the field that has the focus. */
  readonly notice?: string | false
  /** Whether the browser may offer passkeys for the user name. */
  readonly offersAutofill?: boolean
}

export type Attributes = Readonly<Record<string, unknown>>

/** Unwraps a signal, which JSX renderers accept as the value of an attribute. */
function unwrapSignal(attribute: unknown): unknown {
  const isSignal = typeof attribute === 'object' && attribute !== null && 'value' in attribute
  return isSignal ? attribute.value : attribute
}

/** Also in other languages: untyped fields are found by their name alone. */
const PASSWORD_NAME =
  /passw|passphrase|pwd|pass\b|kennwort|mot ?de ?passe|contrase[nñ]a|\bsenha\b|wachtwoord|\bhas[lł]o\b|\bparola\b|пароль/i
const SECRET_NAME =
  /secret|token|code|credential|recovery|answer|card ?num|\b(?:pw|pin|tan|t?otp|mfa|2fa|cv[cv]|ssn)\b|key\b/i

/** Separates the words and numbers of a field name: `smsOtp`, `sms_otp`, `otp1`. */
export function splitWords(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|_/g, ' ')
}

/** Attribute names are lower-cased, because React writes `autoFocus`. The type of a password need not be given. */
export function normalizeAttributes(name: string, input: CredentialFields[string]): Attributes {
  const given = Object.entries(input).flatMap(([key, attribute]) => {
    const value = unwrapSignal(attribute)
    return value === undefined ? [] : [[key.toLowerCase(), value] as const]
  })
  const type = PASSWORD_NAME.test(splitWords(name)) ? 'password' : 'text'
  return Object.assign({ type }, Object.fromEntries(given))
}

/** Whether the name or the attribute `autocomplete` is one of a password, a code or a card number. */
function isSecret(name: string, { autocomplete }: Attributes): boolean {
  const words = splitWords(name)
  const isNamed = PASSWORD_NAME.test(words) || SECRET_NAME.test(words)
  return isNamed || /password|one-time-code|\bcc-|^\s*off\s*$/i.test(String(autocomplete))
}

/** Whether it contains a password or a one-time code, by its type, name or `autocomplete`. */
export function isPasswordField(name: string, input: CredentialFields[string]): boolean {
  const { type, autocomplete } = normalizeAttributes(name, input)
  const isNamed = PASSWORD_NAME.test(splitWords(name))
  return isNamed || type === 'password' || /password|one-time-code/i.test(String(autocomplete))
}

export function isAddressField(name: string, input: CredentialFields[string]): boolean {
  const { type } = normalizeAttributes(name, input)
  return type === 'email' || (type === 'text' && /^e-?mail(?:.?address)?$/i.test(name))
}

/** Whether the user fills in a field of the form; a guest does not. */
export function isFilledIn(inputs: CredentialFields): boolean {
  return Object.entries(inputs).some(
    ([name, input]) => normalizeAttributes(name, input)['type'] !== 'hidden',
  )
}

const KEPT_TYPE = /^(?:text|email|tel|search|url)$/

/** The values that a form shows again after an error: no passwords, one-time codes or card numbers. */
export function keptValues(
  inputs: CredentialFields,
  sent: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, input] of Object.entries(inputs)) {
    const given = normalizeAttributes(name, input)
    const value = sent[name]
    const isKept = KEPT_TYPE.test(String(given['type'])) && !isSecret(name, given)
    if (isKept && typeof value === 'string' && value.length <= 254) kept[name] = value
  }
  return kept
}

/** The field that the user has to type again. */
function rejectedField(fields: readonly (readonly [string, Attributes])[]): string | undefined {
  const password = fields.find(([, { type }]) => type === 'password')
  return (password ?? fields.find(([, { type }]) => type !== 'hidden'))?.[0]
}

export function inputId(name: string, provider: string): string {
  return `input-${name}-for-${provider}-provider`
}

function labelledInput(
  { id: provider, error }: FormState,
  { label, ...given }: Attributes & { readonly name: string },
): Markup {
  const id = inputId(given.name, provider)
  const errorId = `error-for-${provider}-provider`
  if (given['type'] === 'hidden') return html`<input${attributes(given)} />`
  const invalid = error && { 'aria-invalid': 'true', 'aria-describedby': errorId }
  const message = error && html`<p class="hint" id="${errorId}" role="alert">${error}</p>`
  // Not spread, because V8 takes microseconds for two spreads in one object.
  const all = Object.assign({ placeholder: '' }, given, { id }, invalid)
  const text = typeof label === 'string' ? label : given.name
  return html`<label for="${id}">${text}</label><input${attributes(all)} />${message}`
}

/** A password of a sign-in form is one that exists, unless the application says otherwise (HTML §4.10.18.7.1). */
function withPurpose(given: Attributes): Attributes {
  const isPassword = given['type'] === 'password' && given['autocomplete'] === undefined
  return isPassword ? Object.assign({}, given, { autocomplete: 'current-password' }) : given
}

/** Adds `webauthn` to the field for the user name (HTML §4.10.18.7.1, WebAuthn Level 3 §5.1.4). */
function withPasskeys(name: string, { autocomplete, ...given }: Attributes): Attributes {
  const isAddress = autocomplete === undefined && isAddressField(name, given)
  const own = isAddress ? 'username' : autocomplete
  const isName = typeof own === 'string' && /(?:^| )(?:username|email)$/.test(own)
  return { ...given, autocomplete: isName ? `${own} webauthn` : own }
}

/** Renders labelled inputs; the first one, or the rejected one, has the focus unless the application chose another. */
export function fieldset(inputs: CredentialFields, state: FormState): Markup[] {
  const typed = keptValues(inputs, state.typed)
  const fields = Object.entries(inputs).map(
    ([name, input]) => [name, normalizeAttributes(name, input)] as const,
  )
  const rejected = state.error && rejectedField(fields)
  const isFocusChosen = !state.hasFocus || fields.some(([, { autofocus }]) => autofocus)
  const first = fields.find(([, { type }]) => type !== 'hidden')?.[0]
  const focused = isFocusChosen ? undefined : (rejected ?? first)
  return fields.map(([name, given]) => {
    const value = Object.hasOwn(typed, name) && { value: typed[name] }
    const notice = state.notice && { 'aria-describedby': state.notice }
    const focus = name === focused && { autofocus: true, ...notice }
    const error = name === rejected ? state.error : null
    const all = withPurpose(state.offersAutofill ? withPasskeys(name, given) : given)
    return labelledInput(
      Object.assign({}, state, { error }),
      Object.assign({}, all, value, focus, { name }),
    )
  })
}
