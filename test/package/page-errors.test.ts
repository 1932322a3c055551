import { expect, test } from 'vitest'
import { errorTable } from '../../src/errors/table.ts'
import type { ErrorPageParam, SignInPageErrorParam } from '../../src/codes.ts'

// Covers: shape.page-errors
test('pages of an application are promised each error they may be sent, and pages.error no other', () => {
  const promised: Record<ErrorPageParam, true> = {
    AccessDenied: true,
    Configuration: true,
    ContentTooLarge: true,
    InvalidProvider: true,
    InvalidRequest: true,
    MethodNotAllowed: true,
    RequestTimeout: true,
    SessionUnavailable: true,
    TemporarilyUnavailable: true,
    UnknownAction: true,
    UnsupportedMediaType: true,
    Verification: true,
    WebAuthnVerificationError: true,
  }
  const atSignIn: Partial<Record<string, true>> = {
    AccountNotLinked: true,
    CredentialsSignin: true,
    EmailSignInError: true,
    InvalidCheck: true,
    MissingCSRF: true,
    OAuthAccountNotLinked: true,
    OAuthCallbackError: true,
    OAuthSignInError: true,
  } satisfies Partial<Record<SignInPageErrorParam, true>>
  const shown = (...pages: string[]) =>
    Object.entries(errorTable).flatMap(([type, row]) =>
      pages.includes(row.page) && row.type === 'exposed' ? [type] : [],
    )
  expect([...shown('error', 'none'), 'Configuration'].sort()).toEqual(Object.keys(promised))
  expect(shown('signIn').sort()).toEqual(Object.keys(atSignIn))
})
