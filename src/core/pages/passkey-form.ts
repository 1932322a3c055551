/** Sign-in and registration with passkeys. Hidden until `src/browser/webauthn/page-script.ts` finds that the browser supports them. */
import type { CredentialFields } from '../config/credentials.ts'
import type { CeremonyErrorCode } from '../errors/ceremony-code.ts'
import { attributes, hiddenInputs, html } from './html.ts'
import type { HiddenInputs, Markup } from './html.ts'
import { say, readText } from './messages.ts'
import type { PageMessage, Texts } from './messages.ts'

export interface PasskeyForm {
  readonly id: string
  readonly callbackUrl: string
  /** URL of the routes, with the base path. */
  readonly routesUrl: string
  readonly hidden: HiddenInputs
  readonly inputs: readonly Markup[]
  readonly autofill: boolean
  /** A signed-in user adds a passkey, without an address. */
  readonly isSignedIn: boolean
  /** The id of a field outside of the form that contains the address of the new user; `null`: the form has its own. */
  readonly address: string | null
}

/** Default label of the provider modules, which is replaced by the text of the page. */
const DEFAULT_LABEL = 'Email'

/** The fields of a provider; the default one has the texts of the page. */
export function passkeyFields(texts: Texts, fields: CredentialFields): CredentialFields {
  if (fields['email']?.label !== DEFAULT_LABEL) return fields
  const label = readText(texts, 'emailAddress')
  const email = { placeholder: readText(texts, 'emailPlaceholder'), ...fields['email'], label }
  return { ...fields, email }
}

const DEFAULT_NAMES: ReadonlySet<string> = new Set(['Passkey', 'WebAuthn'])

const ICON: Markup = {
  markup:
    '<svg class="badge key" viewBox="0 0 24 24" aria-hidden="true"><circle cx="8" cy="12" r="4"/><path d="M12 12h9v4m-4-4v3"/></svg>',
}

function signInLabel(texts: Texts, name: string): Markup {
  const label = say(texts, DEFAULT_NAMES.has(name) ? 'passkeySignIn' : 'continueWith', {
    provider: name,
  })
  return html`${ICON} <span>${label}</span>`
}

/** Signs in with a passkey: among the buttons of other providers, outside of the form that creates one. */
export function passkeyButton(
  texts: Texts,
  { id, name }: { readonly id: string; readonly name: string },
  style: '' | ' primary',
): Markup {
  return html`<button type="button" form="${id}-form" class="button passkey${style}" hidden>
    ${signInLabel(texts, name)}
  </button>`
}

export const PASSKEY_STYLE = `[hidden] { display: none !important; }
details.passkey .sub { margin: 0 0 0.75rem; font-size: 0.875rem; }
.badge.key { color: inherit; background: none; box-shadow: none; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
`

/**
 * Creates a passkey, and with it the account of a new user. The script sets `action` and `data`, and submits the form,
 * also for the button that signs in.
 */
export function passkeyForm(texts: Texts, form: PasskeyForm): Markup {
  const { id, callbackUrl, routesUrl, autofill, isSignedIn, address } = form
  const data = {
    'data-routes': routesUrl,
    'data-provider': id,
    'data-autofill': autofill,
    'data-address': address,
  }
  const style = isSignedIn ? 'quiet' : 'primary'
  const create = html`<form
    id="${id}-form"
    class="passkey"
    action="${callbackUrl}"
    method="post"
    hidden${attributes(data)}
  >
    ${hiddenInputs({ ...form.hidden, action: '', data: '' })}${address !== null && html`<p class="sub">${say(texts, 'passkeyAddress')}</p>`}${form.inputs}<button
      type="submit"
      class="button ${style}"
    >
      ${say(texts, 'passkeyCreate')}
    </button>
  </form>`
  if (isSignedIn) return create
  return html`<details class="passkey" hidden>
    <summary>${say(texts, 'createAccount')}</summary>
    ${create}
  </details>`
}

export interface PasskeyProofForm extends Pick<
  PasskeyForm,
  'callbackUrl' | 'routesUrl' | 'hidden'
> {}

/** Only signs in, without autofill: the user of the session confirms who they are. */
export function passkeyProof(
  id: string,
  { callbackUrl, routesUrl, hidden }: PasskeyProofForm,
): Markup {
  const data = { 'data-routes': routesUrl, 'data-provider': id }
  return html`<form
    id="${id}-form"
    class="passkey"
    action="${callbackUrl}"
    method="post"
    hidden${attributes(data)}
  >
    ${hiddenInputs({ ...hidden, action: '', data: '' })}
  </form>`
}

const MESSAGES: Readonly<Record<CeremonyErrorCode, PageMessage>> = {
  cancelled: 'passkeyCancelled',
  timeout: 'passkeyTimeout',
  unsupported: 'passkeyUnsupported',
  insecure_origin: 'passkeyInsecure',
  wrong_domain: 'passkeyWrongDomain',
  already_registered: 'passkeyExists',
  no_authenticator: 'passkeyNoAuthenticator',
  replaced: 'passkeyFailed',
  expired: 'passkeyFailed',
  unavailable: 'temporarilyUnavailable',
  failed: 'passkeyFailed',
}

/** Where the script shows why a ceremony failed. */
export function passkeyAlert(texts: Texts): Markup {
  const entries = Object.entries(MESSAGES).map(([code, name]) => [code, readText(texts, name)])
  const data = JSON.stringify(Object.fromEntries(entries))
  return html`<p class="notice" id="passkey-alert" role="alert" data-texts="${data}" hidden></p>`
}

/** Why there are no passkeys: the text for browsers that do not run the script, which replaces it. */
export function passkeySupport(texts: Texts): Markup {
  return html`<p class="foot" id="passkey-support">${say(texts, 'passkeyNeedsScript')}</p>`
}
