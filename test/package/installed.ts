/** A project with the packed package. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isStale } from '../../tools/is-stale.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const FOLDER = mkdtempSync(join(tmpdir(), 'lib-auth-tarball-'))
export const PACKAGE = join(FOLDER, 'node_modules/lib-auth')

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly repository: unknown
  readonly homepage: string
  readonly bugs: string
  readonly keywords: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

function pack(): string {
  if (isStale()) execFileSync(process.execPath, ['tools/build.mjs'], { cwd: ROOT })
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', FOLDER], {
    cwd: ROOT,
    stdio: 'pipe',
  })
  return join(FOLDER, readdirSync(FOLDER).find((file) => file.endsWith('.tgz')) ?? '')
}

/** Creates a project with the package as npm would install it, without a registry; `TARBALL`: with this one. */
export function install(): Manifest {
  const tarball = process.env['TARBALL'] ?? pack()
  mkdirSync(PACKAGE, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', PACKAGE, '--strip-components', '1'], { cwd: ROOT })
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }')
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as Manifest
  link(Object.keys(manifest.dependencies))
  return manifest
}

/** Makes packages of the repository available to the project. */
export function link(names: readonly string[]): void {
  for (const name of names) {
    const target = join(FOLDER, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), target, 'dir')
  }
}

/** Runs a module in the project; returns its output, or the error output if it failed. */
export function run(code: string): { readonly output: string; readonly problem: string } {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: FOLDER, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } },
  )
  return { output: stdout.trim(), problem: status === 0 ? '' : stderr }
}
