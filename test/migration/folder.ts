/** The command line, in a folder with an application. */
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

/** A folder with these files, until the test is over. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lib-auth-migrate-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Everything in a folder, by name. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile())
  return Object.fromEntries(
    files.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )
}

/** Runs the command, where nobody answers; what it printed, and how it ended. */
export async function run(...words: string[]) {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await main(words, {
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
    progress: () => undefined,
    confirm: async () => null,
  })
  return { code, printed, complaints, text: printed.join('\n') }
}

/** Code that names two modules. */
export const AUTH = `import NextAuth from 'next-auth'\nimport GitHub from 'next-auth/providers/github'\n`
/** The same, rewritten. */
export const OURS = `import NextAuth from 'lib-auth/next'\nimport GitHub from 'lib-auth/providers/github'\n`
