/** The texts of the built-in pages. */
import type { Markup } from './html.ts'
import { html } from './html.ts'
import type { MailMessages } from './mail-messages.ts'
import type { PasswordMessages } from './password-messages.ts'

/** English texts. Names in braces are placeholders. */
export const english = {
  /** Language of the texts (BCP 47), for `<html lang>`. */
  lang: 'en',
  logo: 'Logo',
  signInTitle: 'Sign in to {site}',
  chooseMethod: 'Choose how to continue.',
  continueWith: 'Continue with {provider}',
  continueWithEmail: 'Continue with e-mail',
  continueAs: 'Continue as {provider}',
  moreWays: 'More ways to sign in',
  usePassword: 'Use a password',
  passwordSignIn: 'Sign in with the password',
  createAccount: 'New here? Create an account',
  forgotPassword: 'Forgot your password?',
  signIn: 'Sign in',
  keepSignedIn: 'Keep me signed in',
  or: 'or',
  emailAddress: 'E-mail address',
  emailPlaceholder: 'you@example.com',
  password: 'Password',
  noMethods: 'No sign-in method is configured.',
  signInFailed: 'Unable to sign in. Try again.',
  tryAnotherAccount: 'Unable to sign in. Try again, or use a different account.',
  providerUnavailable: 'The provider cannot be reached right now. Try again in a moment.',
  providerFailed: 'The provider did not sign you in. Try again.',
  accountNotLinked: 'To confirm your identity, sign in with the method that you used first.',
  accountOfAnotherUser:
    'The account that you chose belongs to another user. To sign in with it, sign out first.',
  sessionCannotLink: 'The account was not linked. Sign out, sign in again, and then link it.',
  mailNotSent: 'The e-mail could not be sent. Check the address and try again.',
  credentialsRejected: 'Sign-in failed. Check that the details you entered are correct.',
  passwordRejected: 'The e-mail address or the password is wrong.',
  userPasswordRejected: 'The user name or the password is wrong.',
  tooManyAttempts: 'Too many attempts. Try again in {time}.',
  tooManyAttemptsOr: 'Too many attempts. Try again in {time}, or choose another method.',
  tooManyAttemptsLater: 'Too many attempts. Try again later.',
  challengeRequired:
    'One more check is required, which this page does not show. Contact the operator of the site.',
  passkeySignIn: 'Continue with a passkey',
  passkeyCreate: 'Create a passkey',
  passkeyAddress: 'Enter your e-mail address above, then create a passkey.',
  passkeyRejected: 'The passkey was not accepted. Try again.',
  passkeyCancelled:
    'No passkey was used: the request was cancelled, or there is no passkey for this site. Try again.',
  passkeyTimeout: 'The request for a passkey has timed out. Try again.',
  passkeyExists: 'There is already a passkey of this account on this device. Sign in with it.',
  passkeyNoAuthenticator:
    'No suitable device for a passkey was found. Set up a screen lock, or connect a security key, and try again.',
  passkeyWrongDomain: 'Passkeys of this site cannot be used at this address.',
  passkeyFailed: 'The passkey could not be used. Try again.',
  passkeyUnsupported: 'This browser does not support passkeys.',
  passkeyInsecure: 'Passkeys need a secure connection (https).',
  passkeyNeedsScript: 'Passkeys need JavaScript, which this browser does not run.',
  signedOut: 'You have signed out. Sign in to see the page again.',
  sessionRequired: 'Sign in to see this page.',
  pageExpired: 'This page was open for too long. Sign in again.',
  signInExpired: 'The sign-in took too long, or was started in another browser. Start again.',
  confirmTitle: 'Sign in to {site}',
  confirmAddress: 'You will be signed in as {address}.',
  confirmWarning:
    'The link was requested in another browser, or used already. Continue only if you requested it.',
  cancel: 'Cancel',
  checkMailTitle: 'Check your e-mail',
  linkSent: 'A sign-in link was sent to your address. Open it in this browser.',
  linkSentTo: 'A sign-in link was sent to {address}. Open it in this browser.',
  codeSent: 'A sign-in code was sent to your address.',
  codeSentTo: 'A sign-in code was sent to {address}. It expires in {time}.',
  linkAndCodeSent: 'A sign-in link and a code were sent to your address.',
  linkAndCodeSentTo:
    'A sign-in link and a code were sent to {address}. Open the link, or enter the code. Both expire in {time}.',
  code: 'Code',
  codeFormat: 'The code has {digits} digits.',
  codeRejected:
    'The code is wrong or has expired. Enter the code of the newest e-mail, or request another one.',
  codeUnusable: 'This code cannot be used any more, or was requested in another browser.',
  sendNewCode: 'Send a new code',
  codeElsewhere: 'Enter the code in the browser that requested it, or request another one here.',
  noCode: 'No e-mail? Check your spam folder, or request another code.',
  noMail: 'No e-mail? Check your spam folder, or request another link.',
  mailLimit:
    'At most {count} e-mails in a row are sent to an address. After that, the next one can be sent after {time}.',
  sendAgain: 'Send it again',
  anotherAddress: 'Use another address',
  signOutTitle: 'Sign out of {site}?',
  signedInAs: 'You are signed in as {user}.',
  signedOutTitle: 'You have signed out',
  notSignedIn: 'You are not signed in',
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
  secondStepTitle: 'Enter the code',
  secondStepText: 'Open your authenticator app and enter the six digits for {site}.',
  secondStepRejected:
    'The code is wrong or was used before. Enter the next one that the app shows.',
  rememberDevice: 'Do not ask again in this browser for {time}',
  useRecoveryCode: 'Use a recovery code',
  recoveryTitle: 'Enter a recovery code',
  recoveryText: 'Each of your recovery codes signs you in once.',
  recoveryCode: 'Recovery code',
  recoveryRejected: 'The recovery code is wrong or was used before.',
  useApp: 'Use the authenticator app',
  enrollTitle: 'Add an authenticator app',
  enrollText:
    'To sign in, you need a second step. Scan the picture with an authenticator app, or enter the key there. Then enter the six digits that it shows.',
  enrollRejected: 'The code is wrong. Enter the six digits that the app shows now.',
  qrCode: 'QR code for the authenticator app',
  openApp: 'Open in an authenticator app',
  appKey: 'Key',
  recoveryCodesTitle: 'Save your recovery codes',
  recoveryCodesText:
    'If you lose your authenticator app, each of these codes signs you in once. They are not shown again.',
  continue: 'Continue',
  stepUpTitle: 'Confirm that it is you',
  stepUpText: 'Sign in once more to continue.',
  stepUpMail: 'Send an e-mail to {address}',
  stepUpOtherUser: 'You signed in as another user. Continue as {user}, or sign out first.',
  stepUpInsufficient: 'That way to sign in is not sufficient here. Choose another one.',
  stepUpImpossible: 'No method can confirm it here. Sign out, and sign in with another one.',
  mergeTitle: 'Sign in with the other account',
  mergeText:
    'What you sign in with next is added to your account, with all that belongs to it. The other account is deleted.',
  mergeNoUser: 'No other account signs in that way. Choose another one.',
  mergeSameUser: 'You signed in with the same account. Choose the other one.',
  mergeFailed: 'The accounts could not be combined, and nothing has changed. Try again.',
  changeTitle: 'Change your e-mail address?',
  changeText: 'The address of the account becomes {address}.',
  changeWarning: 'Continue only if you requested it.',
  changeButton: 'Confirm',
  changeWaitingTitle: 'One more confirmation',
  changeWaiting: 'Open the link that was sent to the other address, too.',
  changedTitle: 'The e-mail address has changed',
  changed: 'It is now {address}.',
  undoTitle: 'Undo the change?',
  undoText: 'The address of the account becomes {address} again, and all devices are signed out.',
  undoButton: 'Undo the change',
  restoredTitle: 'The change was undone',
  restored:
    'The address is {address} again. Sign in, and check which sign-in methods the account has.',
  changeFailedTitle: 'The address has not changed',
  changeFailed:
    'The link has expired or was used already, is for another account, or the address is not available. Sign in, and start again.',
  errorTitle: 'Error',
  error: 'An unexpected error occurred. Go back and try again.',
  configurationTitle: 'Server error',
  configuration:
    'This site cannot complete the request. If you operate it, look for the error in the server log.',
  accessDeniedTitle: 'Access denied',
  accessDenied: 'You do not have permission to sign in. Try another account.',
  accessDeniedFor: 'You may not sign in as {user}. Try another account.',
  verificationTitle: 'Unable to sign in',
  verification: 'The sign-in link has expired or was already used. Request a new one.',
  unavailableTitle: 'Try again in a moment',
  temporarilyUnavailable: 'The site did not respond in time. Wait a moment, then sign in again.',
  sessionUnavailable: 'Your session cannot be read right now. You have not been signed out.',
  invalidRequestTitle: 'Bad request',
  invalidRequest: 'The request is incomplete or malformed. Go back and try again.',
  notFoundTitle: 'Not found',
  unknownAction: 'This page does not exist.',
  invalidProvider: 'This sign-in method does not exist. Choose another one.',
  methodNotAllowedTitle: 'Not possible',
  methodNotAllowed: 'This page cannot be opened directly. Start at the sign-in page.',
  startPage: 'Go to the start page',
  reference: 'Reference for support: {reference}',
} as const

/** The name of a text of the built-in pages. */
export type PageMessage = keyof typeof english

/**
 * Variants of one message: the general text replaces a special one if the application has set only the general one, which
 * may be in another language. Its texts may be older than the special text.
 */
const GENERAL: Readonly<Partial<Record<PageMessage, PageMessage>>> = {
  continueWithEmail: 'continueWith',
  continueAs: 'continueWith',
  passkeySignIn: 'continueWith',
  passwordSignIn: 'signIn',
  accountOfAnotherUser: 'tryAnotherAccount',
  sessionCannotLink: 'tryAnotherAccount',
  passwordRejected: 'credentialsRejected',
  userPasswordRejected: 'credentialsRejected',
  tooManyAttemptsOr: 'tooManyAttempts',
  tooManyAttempts: 'tooManyAttemptsLater',
  confirmTitle: 'signInTitle',
  linkSentTo: 'linkSent',
  codeSentTo: 'codeSent',
  linkAndCodeSentTo: 'linkAndCodeSent',
  sendNewCode: 'sendAgain',
  accessDeniedFor: 'accessDenied',
}

/** All texts of the built-in pages. Names in braces are placeholders. */
export type PageMessages = Readonly<Record<PageMessage, string>>

/** Texts that replace the English ones; `code.<code>` is the text for a `code` of `CredentialsSignin`. */
export type CustomMessages = Readonly<
  Partial<PageMessages & MailMessages & PasswordMessages> & { [Code in `code.${string}`]?: string }
>

/** The text for each value of the `error` query parameter of the sign-in page. */
export const signInErrors = {
  AccountNotLinked: 'accountNotLinked',
  Callback: 'tryAnotherAccount',
  ChallengeRequired: 'challengeRequired',
  CredentialsSignin: 'credentialsRejected',
  EmailCreateAccount: 'tryAnotherAccount',
  EmailSignInError: 'mailNotSent',
  EmailSignin: 'mailNotSent',
  InvalidCheck: 'signInExpired',
  MissingCSRF: 'pageExpired',
  OAuthAccountNotLinked: 'accountNotLinked',
  OAuthCallbackError: 'providerFailed',
  OAuthCreateAccount: 'tryAnotherAccount',
  OAuthSignInError: 'providerUnavailable',
  OAuthSignin: 'tryAnotherAccount',
  PasswordRejected: 'credentialsRejected',
  SessionRequired: 'sessionRequired',
  Signin: 'tryAnotherAccount',
  TooManyAttempts: 'tooManyAttemptsLater',
} as const

/** Values of the `error` query parameter of `pages.signIn`: error types, and codes such as `SessionRequired`. */
export type SignInPageErrorParam = keyof typeof signInErrors

export interface Texts {
  readonly messages?: CustomMessages | undefined
}

type Values = Readonly<Record<string, string | Markup | undefined>>

/** The text of the application for `name` or, without one, for a more general message; `null` without either. */
export function translated({ messages }: Texts, name: PageMessage): string | null {
  // On the error page of a rejected configuration, it may be another value.
  const text: unknown = messages?.[name]
  if (typeof text === 'string') return text
  const general = GENERAL[name]
  return general ? translated({ messages }, general) : null
}

/** A text with its placeholders, for an attribute. */
export function readText(texts: Texts, name: PageMessage): string {
  return translated(texts, name) ?? english[name]
}

export function say(texts: Texts, name: PageMessage, values: Values = {}): Markup {
  return fill(readText(texts, name), values)
}

/** The text that the application sets for a `code` of `CredentialsSignin`; `null` without one. */
export function sayCode({ messages = {} }: Texts, code: string | null): Markup | null {
  const name = `code.${code ?? ''}` as const
  const text = Object.hasOwn(messages, name) ? messages[name] : undefined
  return text === undefined ? null : fill(text, {})
}

function own(values: Values, name: string): Values[string] {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Odd parts are the names of placeholders. */
export function fill(text: string, values: Values): Markup {
  const parts = text.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => html`${index % 2 ? own(values, part) : part}`)}`
}
