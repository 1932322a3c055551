/** The command line in a folder of its own: in this process, or as the built program. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { PROGRAM } from './doctor/run-doctor.ts'
import { folderWith } from './folder.ts'

/** Runs a command in a folder, without a terminal and without a process of its own. */
export async function runIn(folder: string, words: readonly string[]) {
  const printed = { stdout: '', stderr: '' }
  const before = process.cwd()
  process.chdir(folder)
  try {
    const status = await main(words, {
      print: (line) => void (printed.stdout += `${line}\n`),
      warn: (line) => void (printed.stderr += `${line}\n`),
      progress: () => undefined,
      confirm: async () => null,
    })
    return { status, ...printed }
  } finally {
    process.chdir(before)
  }
}

/** Starts the built program in a folder. */
export function startIn(folder: string, words: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1' }
  return spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8', env })
}

/** Creates a project with these files, which is deleted after the test, and runs commands in it. */
export function programIn(files: Record<string, string> = {}) {
  const folder = folderWith({ 'package.json': '{}', ...files })
  const pathOf = (name: string) => join(folder, name)
  return {
    pathOf,
    bytes: (name: string) => readFileSync(pathOf(name)),
    read: (name: string) => readFileSync(pathOf(name), 'utf8'),
    run: (...words: string[]) => runIn(folder, words),
    start: (...words: string[]) => startIn(folder, words),
  }
}
