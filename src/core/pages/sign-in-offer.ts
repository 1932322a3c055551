import type { CredentialFields } from '../config/credentials.ts'
import type { OAuthProviderButtonStyles } from '../config/button.ts'
import type { EmailMethod } from '../config/email.ts'
import type * as passkeyForms from './passkey-form.ts'

/** How the sign-in page offers a provider. */
export type SignInOffer =
  | {
      readonly kind: 'email'
      readonly method?: EmailMethod
      /** Whether the name is that of the provider module. */
      readonly isUnnamed?: boolean | undefined
    }
  | {
      readonly kind: 'button'
      readonly brandColor: string | undefined
      readonly logo?: string | undefined
      readonly icon?: OAuthProviderButtonStyles['icon']
    }
  | { readonly kind: 'form'; readonly fields: Readonly<CredentialFields> }
  | {
      readonly kind: 'passkey'
      readonly fields: Readonly<CredentialFields>
      /** Whether the browser offers passkeys in the autofill of a field (conditional UI). */
      readonly autofill: boolean
    }
  | { readonly kind: 'none' }

/** What the forms of passkeys need. */
export interface PasskeyPage {
  /** URL of the routes, with the base path. */
  readonly routesUrl: string
  readonly script: string
  /** A signed-in user adds a passkey, without an address. */
  readonly isSignedIn: boolean
  /** Only applications with a passkey provider load them. */
  readonly forms: typeof passkeyForms
}

/** The stored user who is signed in while the page shows that an account was not linked. */
export interface SignedInUser {
  /** Address or name; `null` if unknown. */
  readonly label: string | null
  readonly signOutUrl: string
  readonly returnTo: string
}

/** What a user typed into a form of a built-in page. */
export interface SubmittedForm {
  /** Id of the provider, `signout` or `error`. */
  readonly form: string
  readonly values: Readonly<Record<string, string>>
}
