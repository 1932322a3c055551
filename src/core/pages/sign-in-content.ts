/** What the sign-in page shows. */
import type { OAuthProviderButtonStyles, ProviderIcon } from '../config/button.ts'
import type { CredentialFields } from '../config/credentials.ts'
import type { EmailMethod } from '../config/email.ts'
import type { LimitOptions } from '../config/protection-options.ts'
import type { Problem } from '../log/problem.ts'
import type { PublicProvider } from '../types.ts'
import type { HiddenInputs } from './html.ts'
import type { Site } from './layout.ts'
import type * as passkeyForms from './passkey-form.ts'

/** URLs of pages about passwords. */
export interface PasswordPages {
  readonly forgotUrl: string
  /** `null`: visitors cannot sign up. */
  readonly signUpUrl: string | null
}

/** The links next to the form of `Password`, if mails can be sent. */
export interface PasswordLinks {
  /** Whether visitors can sign up. */
  readonly signUp: boolean
}

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
  | {
      readonly kind: 'form'
      readonly fields: Readonly<CredentialFields>
      /** Of the provider `Password`: which of its pages the form links to. */
      readonly passwords?: PasswordLinks
    }
  | {
      readonly kind: 'passkey'
      readonly fields: Readonly<CredentialFields>
      /** Whether the browser offers passkeys in the autofill of a field (conditional UI). */
      readonly autofill: boolean
    }
  | { readonly kind: 'none' }

export interface PasskeyPage {
  /** URL of the routes, with the base path. */
  readonly routesUrl: string
  readonly script: string
  /** A signed-in user adds a passkey, without an address. */
  readonly isSignedIn: boolean
  /** Only applications with a passkey provider load them. */
  readonly forms: typeof passkeyForms
}

/** The user who is signed in already. */
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

export interface SignInChoice {
  readonly provider: Pick<PublicProvider, 'id' | 'name'> & { readonly offer: SignInOffer }
  readonly routes: Pick<PublicProvider, 'signinUrl' | 'callbackUrl'>
  /** The icon of the provider module; `null` if it has none. */
  readonly icon?: ProviderIcon | null
}

export interface SignInPage extends Site {
  readonly choices: readonly SignInChoice[]
  readonly hidden: HiddenInputs
  readonly error: string | null
  /** The `code` of `CredentialsSignin`. */
  readonly code?: string | null
  /** Seconds until the next attempt, after `TooManyAttempts`; 0: unknown. */
  readonly retryAfter?: number
  readonly rejected?: SubmittedForm | null
  /** What the log contains about the error. Only in development. */
  readonly problem?: Problem | null
  /** Whether the user has just signed out on the page that `callbackUrl` names. */
  readonly isSignedOut?: boolean
  /** Of a browser that has requested a mail. */
  readonly mailLimit?: LimitOptions | null
  /** How many mails this browser has requested for the address. */
  readonly mailsRequested?: number
  readonly email?: string | undefined
  readonly passkeys?: PasskeyPage | undefined
  readonly signedIn?: SignedInUser | null
  /** Undefined without `Password`, or if nothing sends mails. */
  readonly passwordPages?: PasswordPages | undefined
  /** The box "Keep me signed in"; undefined: it is not shown. */
  readonly remember?: 'checked' | 'empty' | undefined
}
