// node tools/release-files.mjs <tarball> <folder>: what is attached to a release, besides the tarball.
// node tools/release-files.mjs --tag <latest>: prints the tag in the registry, where this version is the latest now.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The section of a version, without its heading; `null` if no section of the version has a date. */
export function findNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((each) => each.startsWith(`${version} (`))
  const [heading = '', ...lines] = section?.split('\n') ?? []
  return /\(\d{4}-\d{2}-\d{2}\)$/.test(heading) ? lines.join('\n').trim() : null
}

export const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?$/

/** A release comes after its candidates. */
export function isAfter(version, previous) {
  const [one, other] = [version, previous].map((each) => {
    const [, ...numbers] = VERSION.exec(each) ?? []
    return numbers.map((number) => (number === undefined ? Infinity : Number(number)))
  })
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && one[at] > other[at]
}

/**
 * The tag in the registry: prereleases and patches of an older line are not installed by default.
 *
 * @param latest - what is installed by default now; empty: nothing
 */
export function registryTag(version, latest) {
  if (version.includes('-')) return 'next'
  if (latest === '' || isAfter(version, latest)) return 'latest'
  // A tag such as v0.1 is not valid: npm would take it for a range.
  return `release-${version.split('.').slice(0, 2).join('.')}`
}

/** `npm sbom` describes what an empty project gets that installs the tarball. */
function writeSboms(tarball, folder) {
  const project = mkdtempSync(join(tmpdir(), 'lib-auth-sbom-'))
  const npm = (...args) => execFileSync('npm', args, { cwd: project, encoding: 'utf8' })
  try {
    const manifest = { name: 'sbom', version: '0.0.0', private: true }
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
    npm('install', tarball, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline')
    for (const format of ['cyclonedx', 'spdx'])
      writeFileSync(join(folder, `sbom.${format}.json`), npm('sbom', '--sbom-format', format))
  } finally {
    rmSync(project, { recursive: true })
  }
}

const currentVersion = () => JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version

/** Writes the notes, with the figures of the package, and both SBOMs. */
export function writeFiles(tarball, folder) {
  const version = currentVersion()
  const notes = findNotes(readFileSync(`${ROOT}CHANGELOG.md`, 'utf8'), version)
  mkdirSync(folder, { recursive: true })
  const figures = execFileSync(process.execPath, ['tools/budgets.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  writeFileSync(join(folder, 'notes.md'), `${notes ?? ''}\n\n## Figures\n\n${figures}`)
  writeSboms(tarball, folder)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first = '', second = ''] = process.argv.slice(2)
  if (first === '--tag') console.log(registryTag(currentVersion(), second))
  else writeFiles(resolve(first), resolve(second))
}
