/** Reads text and replaces it: all of it or nothing. */
import {
  accessSync,
  chmodSync,
  constants,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/** Larger files are none that somebody wrote. */
const MAX_LENGTH = 1024 * 1024

/** What is in a file: text, or why it is not looked at. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other'; readonly why: string }

/** The text of a file to the letter, a byte order mark included; throws what the file system says. */
export function readText(path: string): Content {
  if (statSync(path).size > MAX_LENGTH) return { kind: 'other', why: 'is larger than 1 MB' }
  const bytes = readFileSync(path)
  if (bytes.includes(0)) return { kind: 'other', why: 'is no text in UTF-8' }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { kind: 'text', text: decoder.decode(bytes) }
  } catch {
    return { kind: 'other', why: 'is no text in UTF-8' }
  }
}

/** Replaces what is in a file; whoever reads it meanwhile sees the old text or the new one. */
export function replaceText(path: string, text: string): void {
  accessSync(path, constants.W_OK)
  const { mode } = statSync(path)
  const draft = `${path}.${process.pid}.tmp`
  // What is there already is somebody else's.
  writeFileSync(draft, '', { flag: 'wx' })
  try {
    writeFileSync(draft, text)
    chmodSync(draft, mode)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
