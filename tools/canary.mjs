// The nightly canary: the tests with the newest release or prerelease of one package.
// node tools/canary.mjs install <package>
// node tools/canary.mjs report <package> <success or failure>: opens or updates one issue, and closes it after a success.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim()

/** What decides, in this order: the numbers, whether it is a release, the word of a prerelease, and its numbers without hashes. */
function rank(version) {
  const [, core, prerelease] = /^([\d.]+)(?:-(.*))?$/.exec(version) ?? []
  const numbersOf = (text = '') => text.split(/[.-]/).filter((each) => /^\d+$/.test(each))
  const [word = ''] = /^[a-z]+/i.exec(prerelease ?? '') ?? []
  return [...numbersOf(core), prerelease ? '0' : '1', word, ...numbersOf(prerelease)]
}

const inOrder = new Intl.Collator('en', { numeric: true })

/** By the parts of the version: not every registry has a tag for prereleases. */
export function newest(versions) {
  const compare = (one, other) => {
    const [left, right] = [rank(one), rank(other)]
    const at = left.findIndex((part, index) => part !== right[index])
    return at < 0 ? left.length - right.length : inOrder.compare(left[at], right[at] ?? '')
  }
  const isPlausible = (version) => !/-(?:experimental|nightly|insiders|0\.0\.0)/.test(version)
  return versions.filter(isPlausible).toSorted(compare).at(-1)
}

/** Of one release, and they accept no other. */
const COMPANIONS = { react: ['react-dom'] }

export const packagesOf = (name, version) =>
  [name, ...(COMPANIONS[name] ?? [])].map((each) => `${each}@${version}`)

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** A workspace that names the former version gets a copy of it, and its tests would run with that. */
export function removeCopies(name, version, root) {
  const folders = readJson(join(root, 'package.json')).workspaces.flatMap((each) => {
    const parent = each.replace(/\/\*$/, '')
    if (parent === each) return each
    return readdirSync(join(root, parent)).map((folder) => join(parent, folder))
  })
  for (const folder of folders) {
    const copy = join(root, folder, 'node_modules', name)
    const manifest = join(copy, 'package.json')
    if (existsSync(manifest) && readJson(manifest).version === version)
      rmSync(copy, { recursive: true })
  }
}

/** @param {{ name: string, version: string, outcome: string, issue?: number | undefined }} facts `issue`: the open one about the package */
export function reportCommand({ name, version, outcome, issue }) {
  const text = `The tests ${outcome === 'success' ? 'pass' : 'fail'} with ${name} ${version}.`
  const number = issue === undefined ? '' : String(issue)
  if (outcome === 'success')
    return number === '' ? null : ['issue', 'close', number, '--comment', text]
  if (number !== '') return ['issue', 'comment', number, '--body', text]
  return ['issue', 'create', '--title', titleOf(name), '--label', 'canary', '--body', text]
}

const titleOf = (name) => `Canary: ${name}`

function findIssue(name) {
  const list = run('gh', 'issue', 'list', '--label', 'canary', '--json', 'number,title')
  return JSON.parse(list).find(({ title }) => title === titleOf(name))?.number
}

function main([action, name, outcome]) {
  const version = newest(JSON.parse(run('npm', 'view', name, 'versions', '--json')))
  if (action === 'install') {
    const before = readJson(`${ROOT}node_modules/${name}/package.json`).version
    const packages = packagesOf(name, version)
    run('npm', 'install', '--no-save', '--ignore-scripts', '--force', ...packages)
    for (const each of packages) removeCopies(each.replace(/@[^@]*$/, ''), before, ROOT)
    console.log(`${name} ${version}`)
    return
  }
  const command = reportCommand({ name, version, outcome, issue: findIssue(name) })
  if (command) console.log(run('gh', ...command))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
