// The nightly canary: the tests with the newest prerelease of one package.
// node tools/canary.mjs install <package>
// node tools/canary.mjs report <package> <success or failure>: opens or updates one issue, and closes it after a success.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim()

const numbers = (version) => version.split(/[^\d]+/).map(Number)

/** By the numbers of the version: not every registry has a tag for prereleases. */
export function newest(versions) {
  const compare = (one, other) => {
    const [left, right] = [numbers(one), numbers(other)]
    const at = left.findIndex((number, index) => number !== right[index])
    return at < 0 ? 0 : left[at] - (right[at] ?? -1)
  }
  const isPlausible = (version) => !/-(?:experimental|nightly|insiders|0\.0\.0)/.test(version)
  return versions.filter(isPlausible).toSorted(compare).at(-1)
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
    run('npm', 'install', '--no-save', '--ignore-scripts', '--force', `${name}@${version}`)
    console.log(`${name} ${version}`)
    return
  }
  const command = reportCommand({ name, version, outcome, issue: findIssue(name) })
  if (command) console.log(run('gh', ...command))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
