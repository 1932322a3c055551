/** The texts of the mails of the account functions: names in braces are placeholders. */
export const englishMails = {
  mailSignUp: 'Confirm your e-mail address for {site}',
  mailSignUpText: 'Confirm the address to create your account.',
  mailSignUpButton: 'Confirm the address',
  mailSignUpKnown: 'You already have an account at {site}',
  mailSignUpKnownText: 'An account was requested for this address, but you have one already.',
  mailReset: 'Choose a new password for {site}',
  mailResetText: 'Your password stays as it is until you choose a new one.',
  mailResetButton: 'Choose a new password',
  mailResetUnknown: 'There is no account for this address at {site}',
  mailResetUnknownText:
    'A new password was requested for this address, for which there is no account. You may have signed up with another one.',
  mailSignInPageButton: 'Go to the sign-in page',
  mailNewAddress: 'Confirm your new e-mail address for {site}',
  mailNewAddressText: 'The address of an account is to change to this one.',
  mailCurrentAddress: 'Confirm the change of your e-mail address for {site}',
  mailCurrentAddressText: 'The address of your account is to change to {address}.',
  mailCurrentAddressAdvice:
    'If that was not you, do not confirm it, and sign out your other devices.',
  mailAddressButton: 'Confirm',
  mailSignInButton: 'Sign in',
  mailExpires: 'The link expires in {time}, and can be used once.',
  mailIgnore: 'If you did not request this e-mail, you can ignore it.',
  noticeTitle: 'Your account at {site} has changed',
  noticeAccountLinked: 'You can now sign in with {provider}.',
  noticeAccountUnlinked: 'You can no longer sign in with {provider}.',
  noticePasskeyAdded: 'A passkey was added. You can now sign in with it.',
  noticePasskeyRemoved: 'A passkey was removed.',
  noticeFactorAdded: 'A second step is now required to sign in.',
  noticeFactorRemoved: 'A second step was removed.',
  noticeRecoveryCodes: 'New recovery codes were created. Earlier ones are no longer valid.',
  noticeRecoveryCodeUsed: 'A recovery code was used to sign in. Codes that are left: {count}.',
  noticePasswordChanged: 'The password has changed.',
  noticePasswordRemoved: 'The password was removed.',
  noticeAddressChanged: 'The e-mail address has changed to {address}.',
  noticeUsersMerged: 'Another account was combined with this one, and deleted.',
  noticeMergedInto: 'The account of this address was combined with another one, and deleted.',
  noticeUndoButton: 'Undo the change',
  noticeUndoText:
    'That restores the former address, and signs out all devices. The link expires in {time}.',
  noticeAdvice: 'If that was you, nothing else is to be done. If not, sign in and undo it.',
  noticePasswordAdvice:
    'If that was you, nothing else is to be done. If not, request a new password on the sign-in page.',
  noticeContactAdvice: 'If that was you, nothing else is to be done. If not, contact {site}.',
} as const

/** The name of a text of the mails of the account functions. */
export type MailMessage = keyof typeof englishMails

/** All texts of the mails of the account functions. Names in braces are placeholders. */
export type MailMessages = Readonly<Record<MailMessage, string>>
