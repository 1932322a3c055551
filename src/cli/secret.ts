/** `lib-auth secret` generates `AUTH_SECRET`. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import { Failure, messageOf } from './errors.ts'

const FILE = '.env.local'
// A value that starts with # is a comment, as in templates.
const SECRET = /^[ \t]*(?:export[ \t]+)?AUTH_SECRET[ \t]*=[ \t]*(?:["']([^\s"']+)|([^\s"'#]\S*))/m
/** Common patterns in `.gitignore` that match the file. */
const IGNORED =
  /^\/?(?:\.env\*|\.env\.\*|\.env\*\.local|\.env\.local|\*\.local|\.env\.\*\.local)\s*$/m

/** Generates 32 random bytes in Base64url. */
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
      const found = SECRET.exec(readIfExists(join(folder, file)))
      if (found)
        return [
          `${file} contains AUTH_SECRET already and was not changed.`,
          advice(found[1] ?? found[2] ?? ''),
        ]
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
