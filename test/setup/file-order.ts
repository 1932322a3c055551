/** The order of test files. Without it, Vitest runs larger files first until it has measured them. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** What takes longest, so that no processor is left with one of them at the end; the slowest first. */
const FIRST = [
  'adapters/prisma',
  'frameworks/express',
  'adapters/kysely-postgres',
  'cli/doctor/loading',
  'frameworks/node',
  'cli/database/command-line',
  'adapters/kysely-sqlite',
  'security/canaries',
  'core/limits/password',
  'cli/secret',
  'frameworks/hono',
  // The long ones.
  'package/dependency-trees',
  'package/applications',
  'runtimes/suites',
  'package/documents',
  'e2e/app-15',
  'e2e/app-16',
  'e2e/frameworks/nuxt-guide',
  'e2e/frameworks/sveltekit-3',
  'e2e/frameworks/sveltekit',
  'e2e/frameworks/examples',
  'e2e/frameworks/next',
  'e2e/frameworks/next-15',
  'e2e/pages-16',
  'e2e/pages-15',
]

function rank(path: string): number {
  const place = FIRST.indexOf(relative('test', path).replace(/\.test\.tsx?$/, ''))
  if (place !== -1) return place
  // A worker ends before a file of another environment: all files of one follow each other.
  return FIRST.length + Number(/^\/\/ @vitest-environment /m.test(readFileSync(path, 'utf8')))
}

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const ranked = sorted.map((file) => ({
      file,
      project: projects.indexOf(file.project),
      rank: rank(file.moduleId),
    }))
    const compare = (a: (typeof ranked)[number], b: (typeof ranked)[number]) =>
      a.project - b.project || a.rank - b.rank
    return ranked.toSorted(compare).map(({ file }) => file)
  }
}
