/** `lib-auth secret` generates `AUTH_SECRET`. */
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import {
  appendToEnvLocal,
  changingEnvLocal,
  ENV_LOCAL,
  gitignoreAdvice,
  variablesIn,
} from './env-local.ts'

export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** A short secret must be replaced: with rotation, it would still be accepted. */
function advice(secret: string): string {
  const bytes = Buffer.byteLength(secret)
  return bytes < MIN_SECRET_LENGTH
    ? `It has ${bytes} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print`
    : 'To rotate it without signing out users, set AUTH_SECRET_1 to a new one: npx lib-auth secret --print'
}

/** Writes a secret unless there is one, whose loss would sign out all users; returns the lines to print. */
export function writeSecret(folder: string): readonly string[] {
  return changingEnvLocal(() => {
    for (const file of [ENV_LOCAL, '.env']) {
      const { AUTH_SECRET } = variablesIn(folder, file)
      if (AUTH_SECRET)
        return [`${file} contains AUTH_SECRET already and was not changed.`, advice(AUTH_SECRET)]
    }
    appendToEnvLocal(folder, [`AUTH_SECRET="${newSecret()}"`])
    const why = 'with the secret, an attacker can forge sessions.'
    return [`Wrote a new AUTH_SECRET to ${ENV_LOCAL}.`, ...gitignoreAdvice(folder, why)]
  })
}
