import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const ROOT = new URL('..', import.meta.url)

/** The text of a file of the repository; empty if it does not exist. */
export function readIfExists(path) {
  const url = new URL(path, ROOT)
  return existsSync(url) ? readFileSync(url, 'utf8') : ''
}

/**
 * Writes generated files, by their paths in the repository, and deletes all others in their folders. With `--check` it
 * compares, prints the command to run, and sets the exit code.
 */
export function writeGenerated(files, { folders, command }) {
  for (const folder of folders) mkdirSync(new URL(folder, ROOT), { recursive: true })
  const existing = folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT)).map((file) => `${folder}/${file}`),
  )
  const surplus = existing.filter((file) => !files.has(file))
  const outdated = [...files].filter(([file, text]) => readIfExists(file) !== text)
  if (process.argv.includes('--check')) {
    for (const file of [...surplus, ...outdated.map(([name]) => name)]) {
      console.error(`${file} is not up to date. Run: ${command}`)
      process.exitCode = 1
    }
    return
  }
  for (const file of surplus) rmSync(new URL(file, ROOT))
  for (const [file, text] of outdated) writeFileSync(new URL(file, ROOT), text)
  console.log(`${files.size} files, ${outdated.length} written, ${surplus.length} deleted.`)
}
