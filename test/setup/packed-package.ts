/** Packs the package once for all files of a run, and of the runs that it starts with the variable `TARBALL`. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { run } from '../../tools/run.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of what `npm pack` creates. */
    tarball: string
  }
}

export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  const given = process.env['TARBALL']
  if (given !== undefined) {
    project.provide('tarball', given)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-packed-'))
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: project.config.root,
    env: { npm_config_local_prefix: undefined },
  })
  project.provide('tarball', join(folder, readdirSync(folder)[0] ?? ''))
  return () => rmSync(folder, { recursive: true, force: true })
}
