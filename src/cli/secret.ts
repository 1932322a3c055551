/** `lib-auth secret`: writes a new AUTH_SECRET to `.env.local`. */
import { appendFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MIN_SECRET_LENGTH } from '../defaults.ts'
import { Failure } from './errors.ts'

const FILE = '.env.local'
// What begins with # is a comment, as in the lines that templates leave to be filled in.
const SECRET = /^[ \t]*(?:export[ \t]+)?AUTH_SECRET[ \t]*=[ \t]*(?:["']([^\s"']+)|([^\s"'#]\S*))/m

function inTheWay(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : 'no reason was given'
  return new Failure(`${basename(path)} was not changed: ${reason}`, { cause })
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw inTheWay(path, error)
  }
}

/** Generates 32 random bytes, as text. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Buffer.from(bytes).toString('base64url')
}

/** Whether Git would take the file along; where there is no Git, it does not matter. */
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

/** A short secret must not stay in the list: it could be guessed as before. */
function advice(secret: string): string {
  const bytes = Buffer.byteLength(secret)
  return bytes < MIN_SECRET_LENGTH
    ? `It has ${bytes} bytes and can be guessed: replace it with the output of npx lib-auth secret --print.`
    : 'To replace it without signing users out, set AUTH_SECRET_1 to a new one: npx lib-auth secret --print.'
}

/** Runs the command in a folder; returns what to tell. One that is there already stays: without it, everybody is signed out. */
export async function writeSecret(folder: string): Promise<readonly string[]> {
  for (const file of [FILE, '.env']) {
    const found = SECRET.exec(await contentOf(join(folder, file)))
    if (found)
      return [
        `${file} has an AUTH_SECRET already; nothing was changed.`,
        advice(found[1] ?? found[2] ?? ''),
      ]
  }
  const path = join(folder, FILE)
  const content = await contentOf(path)
  const gap = content === '' || content.endsWith('\n') ? '' : '\n'
  try {
    await appendFile(path, `${gap}AUTH_SECRET="${newSecret()}"\n`, { mode: 0o600 })
  } catch (error) {
    throw inTheWay(path, error)
  }
  const told = [`A new AUTH_SECRET was written to ${FILE}.`]
  if (!(await isIgnored(folder)))
    told.push(`Add ${FILE} to .gitignore: whoever has the secret can sign in as anybody.`)
  return told
}
