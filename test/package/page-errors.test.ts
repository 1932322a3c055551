import { expect, test } from 'vitest'
import { errorTable } from '../../src/core/errors/table.ts'
import type { ErrorPageParam } from '../../src/core/errors/codes.ts'
import type { SignInPageErrorParam } from '../../src/core/pages/messages.ts'

test('the types of page errors list each error that pages.error and pages.signIn can receive', () => {
  const onErrorPage: Record<ErrorPageParam, true> = {
    AccessDenied: true,
    AccessTokenError: true,
    AccessTokenUnavailable: true,
    AddressChangeError: true,
    Configuration: true,
    ContentTooLarge: true,
    InvalidLogoutToken: true,
    InvalidProvider: true,
    InvalidRequest: true,
    LastSignInMethod: true,
    MethodNotAllowed: true,
    RequestTimeout: true,
    SessionUnavailable: true,
    TemporarilyUnavailable: true,
    UnknownAction: true,
    UnsupportedMediaType: true,
    Verification: true,
    WebAuthnVerificationError: true,
  }
  const onSignInPage: Partial<Record<string, true>> = {
    AccountNotLinked: true,
    ChallengeRequired: true,
    CredentialsSignin: true,
    EmailSignInError: true,
    InvalidCheck: true,
    MissingCSRF: true,
    OAuthAccountNotLinked: true,
    OAuthCallbackError: true,
    OAuthSignInError: true,
    PasswordRejected: true,
    SessionRequired: true,
    TooManyAttempts: true,
  } satisfies Partial<Record<SignInPageErrorParam, true>>
  const typesOn = (...pages: string[]) =>
    Object.entries(errorTable).flatMap(([type, row]) =>
      pages.includes(row.page) && row.type === 'exposed' ? [type] : [],
    )
  expect([...typesOn('error', 'none'), 'Configuration'].sort()).toEqual(Object.keys(onErrorPage))
  expect(typesOn('signIn').sort()).toEqual(Object.keys(onSignInPage))
  expect(typesOn('stepUp')).toEqual(['AccountMergeError', 'StepUpRequired'])
})
