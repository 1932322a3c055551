/** Messages for programs; they disclose no more than the type. */
const messages: Readonly<Record<string, string>> = {
  Configuration: 'There is a problem with the server configuration. Check the server logs.',
  MissingCSRF: 'The CSRF token is missing or stale. Get a new one and repeat the request.',
  invalid_address: 'The e-mail address is not valid.',
  session_cannot_link: 'The session cannot link accounts. Sign in again, then repeat it.',
  invalid_second_step: 'The code of the second step is wrong, or was used before.',
  invalid_code: 'The code is wrong or has expired, or was requested in another browser.',
  CredentialsSignin: 'The credentials were not accepted.',
  ChallengeRequired: 'Repeat the request with the answer to the challenge, in the field challenge.',
  TooManyAttempts: 'Too many attempts. Wait for the seconds in Retry-After, then try again.',
  AccessDenied: 'You do not have permission to sign in.',
  UnknownAction: 'The route does not exist.',
  MethodNotAllowed: 'The route does not accept this method.',
  InvalidProvider: 'The provider does not exist.',
  InvalidRequest: 'The request is malformed.',
  ContentTooLarge: 'The request is too large.',
  UnsupportedMediaType: 'The body must be a URL-encoded form or JSON.',
  RequestTimeout: 'The request body was not received in time.',
  SessionUnavailable: 'The session cannot be read right now. Try again.',
  TemporarilyUnavailable: 'A service did not respond in time. Try again.',
}

/** The message for a type of error, or for its code. */
export function messageOf(name: string): string {
  return messages[name] ?? 'The sign-in failed.'
}
