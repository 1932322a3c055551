// node tools/release-files.mjs <tarball> <folder>: what is attached to a release, besides the tarball.
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

/** The tag in the registry: prereleases are not installed by default. */
export function registryTag(version) {
  return version.includes('-') ? 'next' : 'latest'
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

/** Writes the notes, both SBOMs and the tag in the registry. */
export function writeFiles(tarball, folder) {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const notes = findNotes(readFileSync(`${ROOT}CHANGELOG.md`, 'utf8'), version)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'notes.md'), `${notes ?? ''}\n`)
  writeFileSync(join(folder, 'tag'), `${registryTag(version)}\n`)
  writeSboms(tarball, folder)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tarball = '', folder = ''] = process.argv.slice(2).map((each) => resolve(each))
  writeFiles(tarball, folder)
}
