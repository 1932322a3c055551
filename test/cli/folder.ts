/** Runs the command line in this process, in a folder with an application. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.ts'

/** Creates a folder with these files; it is deleted after the test. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lib-auth-migrate-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** The files of a folder by name. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile())
  return Object.fromEntries(
    files.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )
}

/** Runs a command without a terminal; returns its output and exit code. */
export async function run(...words: string[]) {
  const printed: string[] = []
  const stderr: string[] = []
  const code = await main(words, {
    print: (line) => void printed.push(line),
    warn: (line) => void stderr.push(line),
    progress: () => undefined,
    confirm: async () => null,
  })
  return { code, printed, stderr, text: printed.join('\n') }
}

/** Code with two imports. */
export const AUTH = `import NextAuth from 'next-auth'\nimport GitHub from 'next-auth/providers/github'\n`
/** The same, rewritten. */
export const OURS = `import NextAuth from 'lib-auth/next'\nimport GitHub from 'lib-auth/providers/github'\n`
