/** Loads the code of a guide: every block with a file name becomes a file of one folder. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { SECRET } from '../config.ts'
import { findBlocks } from '../package/snippets.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The files of a guide. */
export interface Guide {
  /** The code blocks of a language. */
  blocks(language: string): string[]
  /** Imports a file of the guide as the application would. */
  load<Module>(file: string): Promise<Module>
}

/**
 * Writes the files of a document, by default `docs/guides/<name>.md`, below the repository, where `lib-auth` is the built package, in a folder of
 * this worker: another test file may open the same guide at the same time.
 */
export function openGuide(name: string, document = `docs/guides/${name}.md`): Guide {
  const folder = join(ROOT, '.cache/guides', `worker-${process.env['VITEST_POOL_ID']}`, name)
  rmSync(folder, { recursive: true, force: true })
  const all = findBlocks(document, readFileSync(join(ROOT, document), 'utf8'))
  for (const { file, code } of all) {
    if (file === undefined) continue
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${code}\n`)
  }
  return {
    blocks: (language) =>
      all.filter((block) => block.language === language).map(({ code }) => code),
    load: (file) => import(join(folder, file)),
  }
}

/** Sets the environment of the guides: the secret, the URL of the site, and the client of GitHub. */
export function stubGuideEnvironment(): void {
  // Where guides keep users in memory; another file may have left some.
  vi.stubGlobal('memory', undefined)
  vi.stubEnv('AUTH_SECRET', SECRET)
  vi.stubEnv('AUTH_URL', 'https://app.test')
  vi.stubEnv('AUTH_GITHUB_ID', 'id')
  vi.stubEnv('AUTH_GITHUB_SECRET', 'secret')
}
