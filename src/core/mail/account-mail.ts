/** The mails of the account functions. */
import type { AdapterUser } from '../database/adapter.ts'

/** What a user is notified of. */
export type AccountNotice =
  | {
      readonly change: 'account-linked' | 'account-unlinked'
      /** Name of the provider. */
      readonly provider: string
    }
  | {
      readonly change:
        | 'passkey-added'
        | 'passkey-removed'
        | 'factor-added'
        | 'factor-removed'
        | 'recovery-codes-created'
        | 'password-changed'
        | 'password-removed'
        /** Another user was merged into this one. */
        | 'users-merged'
        /** This user was merged into another one, and deleted. */
        | 'merged-into'
    }
  | {
      readonly change: 'recovery-code-used'
      /** How many codes are left. */
      readonly left: number
    }
  | {
      readonly change: 'address-changed'
      /** The new address. The notice is sent to the former one. */
      readonly address: string
    }

/** What each {@link AccountMail} has. */
export interface AccountMailText {
  /** The only recipient: one plain address. */
  readonly to: string
  readonly subject: string
  /** The mail as plain text. */
  readonly text: string
  readonly html: string
}

/** What each {@link AccountMail} with a link has. */
export interface AccountMailLink {
  /** The link, which is a secret: keep it out of logs. */
  readonly url: string
  /** Expiry of the link. */
  readonly expires: Date
}

/** A mail of the account functions, by `kind`. Its texts are those of `theme.messages`. */
export type AccountMail = AccountMailText &
  (
    | (AccountMailLink & {
        /** Confirms the address of a new user. */
        readonly kind: 'sign-up'
        /** The existing user with this address, whom the mail informs; `null`: the link completes the sign-up. */
        readonly user: AdapterUser | null
      })
    | (AccountMailLink & {
        /** Lets the user choose a new password. */
        readonly kind: 'reset'
        /** `null`: no user has the address, which the mail says; the link is that of the sign-in page. */
        readonly user: AdapterUser | null
      })
    | (AccountMailLink & {
        /** Confirms a change of the address of a user. */
        readonly kind: 'address-change'
        readonly user: AdapterUser
        /** The new address. */
        readonly address: string
        /** Whether `to` is the new address, or the one that the user has. */
        readonly mailbox: 'current' | 'new'
      })
    | (Partial<AccountMailLink> & {
        /** Reports a change. A link undoes it. */
        readonly kind: 'notice'
        readonly notice: AccountNotice
        readonly user: AdapterUser
      })
  )

/** The `kind` of an {@link AccountMail}. */
export type AccountMailKind = AccountMail['kind']

/** A mail without its texts. */
export type AccountMailFacts = AccountMail extends infer Mail
  ? Mail extends AccountMail
    ? Omit<Mail, 'subject' | 'text' | 'html'>
    : never
  : never
