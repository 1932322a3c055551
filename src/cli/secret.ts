/** `lib-auth secret` generates `AUTH_SECRET`. */
import { appendFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import { Failure } from './errors.ts'

const FILE = '.env.local'
// A value that starts with # is a comment, as in templates.
const SECRET = /^[ \t]*(?:export[ \t]+)?AUTH_SECRET[ \t]*=[ \t]*(?:["']([^\s"']+)|([^\s"'#]\S*))/m

function notChanged(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : 'no reason was given'
  return new Failure(`${basename(path)} was not changed: ${reason}`, { cause })
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw notChanged(path, error)
  }
}

/** Generates 32 random bytes in Base64url. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Buffer.from(bytes).toString('base64url')
}

/** Whether a common pattern in `.gitignore` matches the file. */
async function isIgnored(folder: string): Promise<boolean> {
  const rules = (await contentOf(join(folder, '.gitignore'))).split('\n')
  const patterns = new Set([
    '.env*',
    '.env.*',
    '.env*.local',
    '.env.local',
    '*.local',
    '.env.*.local',
  ])
  return rules.some((rule) => patterns.has(rule.trim().replace(/^\//, '')))
}

/** A short secret must be replaced: with rotation, it would still be accepted. */
function advice(secret: string): string {
  const bytes = Buffer.byteLength(secret)
  return bytes < MIN_SECRET_LENGTH
    ? `It has ${bytes} bytes and can be guessed. Replace it with the output of: npx lib-auth secret --print`
    : 'To rotate it without signing out users, set AUTH_SECRET_1 to a new one: npx lib-auth secret --print'
}

/** Writes a secret unless there is one, whose loss would sign out all users; returns the lines to print. */
export async function writeSecret(folder: string): Promise<readonly string[]> {
  for (const file of [FILE, '.env']) {
    const found = SECRET.exec(await contentOf(join(folder, file)))
    if (found)
      return [
        `${file} contains AUTH_SECRET already and was not changed.`,
        advice(found[1] ?? found[2] ?? ''),
      ]
  }
  const path = join(folder, FILE)
  const content = await contentOf(path)
  const gap = content === '' || content.endsWith('\n') ? '' : '\n'
  try {
    await appendFile(path, `${gap}AUTH_SECRET="${newSecret()}"\n`, { mode: 0o600 })
  } catch (error) {
    throw notChanged(path, error)
  }
  const lines = [`Wrote a new AUTH_SECRET to ${FILE}.`]
  if (!(await isIgnored(folder)))
    lines.push(`Add ${FILE} to .gitignore: with the secret, an attacker can forge sessions.`)
  return lines
}
