/** English texts of the pages about passwords. Names in braces are placeholders. */
export const englishPasswords = {
  newPassword: 'New password',
  currentPassword: 'Current password',
  passwordLength: 'At least {count} characters.',
  forgotTitle: 'Forgot your password?',
  forgotText: 'Enter your e-mail address. You will receive a link to choose a new password.',
  forgotButton: 'Send the link',
  resetTitle: 'Choose a new password',
  resetText: 'You will be signed out everywhere else.',
  resetButton: 'Save the password',
  resetDoneTitle: 'Your password was changed',
  resetDoneText: 'All sessions have ended. Sign in with the new password.',
  resetDoneReview:
    'All sessions have ended. Sign in with the new password, and check what else can sign in to your account.',
  methodsTitle: 'Check how you can sign in',
  methodsText: 'These can sign in to your account, too. Remove what you did not add.',
  methodsNone: 'No passkey and no other account can sign in to your account.',
  methodsPasskey: 'Passkey',
  methodsAdded: 'Added on {date}',
  methodsRemove: 'Remove',
  methodsRemoved: 'It was removed.',
  signUpTitle: 'Create an account',
  signUpButton: 'Create the account',
  signUpKnown: 'Have an account already? Sign in',
  verifyTitle: 'Confirm your e-mail address',
  verifyText:
    'The link was requested in another browser. Enter the password that you chose when you created the account.',
  passwordMailSent:
    'An e-mail with a link was sent to {address}. It expires in {time}. If it does not arrive, check your spam folder.',
  passwordMailSentAny:
    'An e-mail with a link was sent to your address. If it does not arrive, check your spam folder.',
  changeTitle: 'Change your password',
  firstTitle: 'Choose a password',
  changeDone: 'The password was saved. All other sessions have ended.',
  passwordTooShort: 'The password is too short. Use at least {count} characters.',
  passwordTooLong: 'The password is too long.',
  passwordCommon: 'Many people use this password. Choose another one.',
  passwordConflict: 'The password was changed in another window. Try again.',
  passwordUnusable: 'This password cannot be used. Choose another one.',
  currentRejected: 'The current password is wrong.',
  passwordLinkTitle: 'This link cannot be used',
  passwordLinkText: 'It has expired, was used already, or was replaced. Request a new one.',
} as const

/** The name of a text of the pages about passwords. */
export type PasswordMessage = keyof typeof englishPasswords

/** All texts of the pages about passwords. */
export type PasswordMessages = Readonly<Record<PasswordMessage, string>>
