/** `lib-auth secret` generates `AUTH_SECRET`. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import { Failure, messageOf } from './errors.ts'

const FILE = '.env.local'
/** Common patterns in `.gitignore` that match the file. */
const IGNORED =
  /^\/?(?:\.env\*|\.env\.\*|\.env\*\.local|\.env\.local|\*\.local|\.env\.\*\.local)\s*$/m

export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
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
  try {
    for (const file of [FILE, '.env']) {
      const { AUTH_SECRET } = parseEnv(readIfExists(join(folder, file)))
      if (AUTH_SECRET)
        return [`${file} contains AUTH_SECRET already and was not changed.`, advice(AUTH_SECRET)]
    }
    const path = join(folder, FILE)
    const gap = /(?:^|\n)$/.test(readIfExists(path)) ? '' : '\n'
    appendFileSync(path, `${gap}AUTH_SECRET="${newSecret()}"\n`, { mode: 0o600 })
  } catch (cause) {
    throw new Failure(`${FILE} was not changed: ${messageOf(cause)}`, { cause })
  }
  const hint = `Add ${FILE} to .gitignore: with the secret, an attacker can forge sessions.`
  const isIgnored = IGNORED.test(readIfExists(join(folder, '.gitignore')))
  return [`Wrote a new AUTH_SECRET to ${FILE}.`, ...(isIgnored ? [] : [hint])]
}
