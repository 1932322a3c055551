/** The fields of a sign-in form that can state which account it is for. */
import type { CredentialFields } from '../../config/credentials.ts'
import { isPasswordField, splitWords } from '../../pages/field.ts'

/** Last word of a field that proves an identity, or differs between sign-ins: `totp`, `smsCode`, `captchaResponse`. */
const PROOF =
  /^(?:answer|challenge|code|credential|mfa|me|pin|pw|remember|response|secret|tan|token|t?otp|2fa)$/

/**
 * Words that may precede it. `companyCode` and `customerKey` are not proofs: an attacker may have the same name in
 * another company.
 */
const PROOF_QUALIFIER =
  /^(?:auth.*|backup|cf|confirm.*|email|fa?|factor|[gh]|h?captcha|mail|mfa|one|otp|recaptcha|recovery|remember|second|secret|security|single|sms|time|totp|turnstile|two|use|verif.*|2|2fa)$/

function isProof(name: string, input: CredentialFields[string]): boolean {
  const words = splitWords(name)
    .toLowerCase()
    .split(/[\s-]+/)
  if (/^\d+$/.test(words.at(-1) ?? '')) words.pop()
  const last = words.pop() ?? ''
  const isNamed = PROOF.test(last) && words.every((word) => PROOF_QUALIFIER.test(word))
  // A field `code` may contain the code of a company.
  const isAnyCode = last === 'code' && words.length === 0
  return (isNamed && !isAnyCode) || isPasswordField(name, input)
}

/** Returns all submitted values except proofs, unchanged. Fields that the form does not have are ignored, unless it has none. */
export function statedValues(
  form: CredentialFields,
  submitted: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: unknown])[] {
  const declared = Object.keys(form)
  const names = declared.length > 0 ? declared : Object.keys(submitted).toSorted()
  const stated = names.filter((name) => !isProof(name, form[name] ?? {}))
  return stated.map((name) => [name, submitted[name]] as const)
}
