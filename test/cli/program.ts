/** The built program, in a folder of its own. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from './doctor/run-doctor.ts'
import { folderWith } from './folder.ts'

/** Creates a project with these files, which is deleted after the test, and runs the program in it. */
export function programIn(files: Record<string, string> = {}) {
  const folder = folderWith({ 'package.json': '{}', ...files })
  const env = { ...process.env, NO_COLOR: '1' }
  const pathOf = (name: string) => join(folder, name)
  return {
    pathOf,
    bytes: (name: string) => readFileSync(pathOf(name)),
    read: (name: string) => readFileSync(pathOf(name), 'utf8'),
    run: (...words: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8', env }),
  }
}
