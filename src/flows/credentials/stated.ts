/** The fields of a sign-in form that can state which account it is for. */
import type { CredentialFields } from '../../config/credentials.ts'
import { isPasswordField, wordsOf } from '../../pages/field.ts'

/**
 * Names of what proves an identity, or differs between sign-ins: `smsCode`, `totp`, `backup_code`. `companyCode` and
 * `customerKey` are not among them: an attacker may have the same name in another company.
 */
const PROOF =
  /^(?:(?:auth\w*|backup|h?captcha|recaptcha|cf|confirm\w*|e?mail|fa?|factor|[gh]|mfa|one|otp|recovery|second|secret|security|single|sms|time|totp|turnstile|two|use|verif\w*|2|2fa) )*(?:answer|challenge|code|credential|mfa|pin|pw|remember(?: me)?|response|secret(?: key)?|tan|token|t?otp|2fa)(?: ?\d+)?$/i

function isProof(name: string, input: CredentialFields[string]): boolean {
  const words = wordsOf(name).replace(/[\s-]+/g, ' ')
  return PROOF.test(words) || isPasswordField(name, input)
}

/** All submitted values but proofs, exactly as they are. Fields that the form does not have are ignored, unless it has none. */
export function statedValues(
  form: CredentialFields,
  submitted: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: unknown])[] {
  const declared = Object.keys(form)
  const names = declared.length > 0 ? declared : Object.keys(submitted).toSorted()
  const stated = names.filter((name) => !isProof(name, form[name] ?? {}))
  return stated.map((name) => [name, submitted[name]] as const)
}
