/** Compiled, never run: the response of the route `webauthn-options`. */
import type { WebAuthnOptionsResponseBody } from '@auth/core/types'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { expectTypeOf } from 'vitest'
import type * as types from '../../src/types.ts'

/** Also with `startAuthentication` and `startRegistration` of `@simplewebauthn/browser`. */
export function webAuthnOptions(): void {
  type Options<Action> = Extract<types.WebAuthnOptionsResponseBody, { action: Action }>['options']
  expectTypeOf<types.WebAuthnOptionsResponseBody>().toExtend<WebAuthnOptionsResponseBody>()
  expectTypeOf<Options<'authenticate'>>().toExtend<PublicKeyCredentialRequestOptionsJSON>()
  expectTypeOf<Options<'register'>>().toExtend<PublicKeyCredentialCreationOptionsJSON>()
}
