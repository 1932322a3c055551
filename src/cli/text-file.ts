/** Reads and replaces text files. */
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

/** Larger files are generated. */
const MAX_LENGTH = 1024 * 1024

/** Reads a text file exactly, including a byte order mark; `null` if it is not UTF-8 text, or larger than 1 MB. */
export function readText(path: string): string | null {
  if (statSync(path).size > MAX_LENGTH) return null
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  return !bytes.includes(0) && Buffer.from(text).equals(bytes) ? text : null
}

/** Replaces a file atomically and keeps its mode: readers see the old text or the new one. */
export function replaceText(path: string, text: string): void {
  accessSync(path, constants.W_OK)
  const { mode } = statSync(path)
  const draft = `${path}.${process.pid}.tmp`
  // `wx` fails if the file exists: it is not a draft of this command.
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
