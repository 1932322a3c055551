// node tools/contract.mjs <folder>: what changed since the release whose etc/ is in the folder, and which kind of release
// it needs. Exits with 1 if package.json does not announce one.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LEVELS = ['patch', 'minor', 'major']

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const show = (value) => JSON.stringify(value) ?? 'nothing'

/** A new part is an addition, but for what existing databases do not have. */
function levelOfAddition(path, value) {
  const [section, , part] = path
  if (section === 'engines') return 'major'
  if (section === 'peers') return value.isOptional ? 'minor' : 'major'
  if (section !== 'schema' || path.length === 2) return 'minor'
  if (part === 'columns') return value.isNullable || value.since ? 'minor' : 'major'
  return part === 'indexes' ? 'minor' : 'major'
}

/** Lists may grow at their end: what comes first has precedence. */
function compareLists(path, before, after) {
  const isExtended = before.every((each, index) => show(each) === show(after[index]))
  if (!isExtended)
    return [{ level: 'major', what: `${path.join('.')}: ${show(before)} became ${show(after)}` }]
  return after.slice(before.length).map((each) => ({
    level: levelOfAddition(path, each),
    what: `${path.join('.')}: ${show(each)} is new`,
  }))
}

function compareValues(path, before, after) {
  const name = path.join('.')
  if (after === undefined) return [{ level: 'major', what: `${name} is gone` }]
  if (before === undefined) return [{ level: levelOfAddition(path, after), what: `${name} is new` }]
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after)
  if (!isObject(before) || !isObject(after))
    return before === after
      ? []
      : [{ level: 'major', what: `${name}: ${show(before)} became ${show(after)}` }]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((each) => compareValues([...path, each], before[each], after[each]))
}

/** @param before, after - parsed `etc/contract.json` */
export function compareContracts(before, after) {
  return compareValues([], before, after)
}

/** The sections of `etc/api.txt`: lines by subpath, and by the first words of a declaration. */
function parseApi(text) {
  const [, entries = '', declarations = ''] = text.split(/^# .*\n/m)
  const blocks = (part) => part.split('\n\n').map((block) => block.trim().split('\n'))
  const subpaths = blocks(entries).filter(([name]) => name !== '')
  const named = new Map()
  for (const lines of blocks(declarations).filter(([first]) => first !== '')) {
    const [name] = lines[0].match(/^\w+ [\w$]+|^.*/)
    named.set(name, [...(named.get(name) ?? []), ...lines])
  }
  return {
    subpaths: new Map(subpaths.map(([name, ...lines]) => [name, lines])),
    declarations: named,
  }
}

const linesOf = (declarations, name) => (declarations.get(name) ?? []).map((line) => line.trim())
const without = (lines, others) => {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** A line that callers of before do not notice: an optional member. */
const isAddition = (line) => /^(?:readonly )?[\w[\].'-]+\?:|^[}\])]/.test(line)

/** By their texts: what is not clearly an addition counts as a break, which a person then looks at. */
export function compareApis(before, after) {
  const [old, current] = [parseApi(before), parseApi(after)]
  const found = []
  for (const [name, lines] of old.subpaths) {
    const now = current.subpaths.get(name)
    if (!now) found.push({ level: 'major', what: `${name} is gone` })
    for (const line of without(lines, now ?? lines))
      found.push({ level: 'major', what: `${name}: ${line.trim()} is gone` })
    for (const line of without(now ?? [], lines))
      found.push({ level: 'minor', what: `${name}: ${line.trim()} is new` })
  }
  for (const name of current.subpaths.keys())
    if (!old.subpaths.has(name)) found.push({ level: 'minor', what: `${name} is new` })
  // Not all are exports: augmentations of the types of frameworks have no subpath.
  for (const name of current.declarations.keys())
    if (!old.declarations.has(name)) found.push({ level: 'minor', what: `${name} is new` })
  for (const name of old.declarations.keys()) {
    if (!current.declarations.has(name)) {
      found.push({ level: 'major', what: `${name} is gone` })
      continue
    }
    const [was, is] = [linesOf(old.declarations, name), linesOf(current.declarations, name)]
    for (const line of without(was, is))
      found.push({ level: 'major', what: `${name}: "${line}" has changed or is gone` })
    if (without(was, is).length === 0)
      for (const line of without(is, was))
        found.push({
          level: isAddition(line) ? 'minor' : 'major',
          what: `${name}: "${line}" is new`,
        })
  }
  return found
}

/** Before 1.0, each minor has breaks. */
const seriesOf = (version) => /^(?:0\.)?\d+/.exec(version)[0]
const minorOf = (version) => Number(version.split('.')[1] ?? 0)

/** The oldest supported version of each series; if it is not known, all of a series that is tested. */
const boundsOf = ({ versions, oldest = versions.map(seriesOf) }) =>
  new Map(oldest.map((version) => [seriesOf(version), version]))

/** @param before, after - parsed `etc/support.json`; other tested versions of the same series are no change */
export function compareSupport(before, after) {
  const found = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before, after].map((each) => each[name] ?? { versions: [] })
    if (was.oldest && !is.oldest)
      found.push({ level: 'major', what: `${name}: its oldest version is no longer stated` })
    const [old, current] = [boundsOf(was), boundsOf(is)]
    for (const [series, bound] of old) {
      const now = current.get(series)
      if (now === undefined) found.push({ level: 'major', what: `${name} ${series} is gone` })
      else if (minorOf(now) !== minorOf(bound))
        found.push({
          level: minorOf(now) > minorOf(bound) ? 'major' : 'minor',
          what: `${name}: ${bound} became ${now}`,
        })
    }
    for (const series of current.keys())
      if (!old.has(series)) found.push({ level: 'minor', what: `${name} ${series} is new` })
  }
  return found
}

/** Of package.json, what the application has to install. */
function requirementsOf({ engines = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.entries(peerDependencies).map(([name, range]) => [
    name,
    { range, isOptional: peerDependenciesMeta[name]?.optional === true },
  ])
  return { engines, peers: Object.fromEntries(peers) }
}

/** @param before, after - return the text of a file of the repository */
export function compareReleases(before, after) {
  const both = (file) => [before, after].map((read) => JSON.parse(read(file)))
  return [
    ...compareApis(before('etc/api.txt'), after('etc/api.txt')),
    ...compareContracts(...both('etc/contract.json')),
    ...compareSupport(...both('etc/support.json')),
    ...compareContracts(...both('package.json').map(requirementsOf)),
  ]
}

export function levelOf(changes) {
  return LEVELS[Math.max(0, ...changes.map(({ level }) => LEVELS.indexOf(level)))]
}

const parts = (version) => version.split(/[.-]/).slice(0, 3).map(Number)

/** Before 1.0, a minor may break types and options, and never a cookie, a row or a variable. */
export function isAnnounced(level, previous, next, { isStored = false } = {}) {
  const [[oldMajor, oldMinor], [major, minor]] = [parts(previous), parts(next)]
  if (major > oldMajor) return true
  if (level === 'major') return major === 0 && minor > oldMinor && !isStored
  return level === 'patch' || minor > oldMinor
}

/** What is in browsers, databases and deployments. */
const STORED = /^(?:cookies|schema|environment)\b/

/** @param exceptions - of the version, in etc/exceptions.json: what changes, and the advisory that requires it */
export function findUnannounced(changes, { previous, next, exceptions = {} }) {
  return changes.filter(
    ({ level, what }) =>
      !exceptions[what]?.startsWith('GHSA-') &&
      !isAnnounced(level, previous, next, { isStored: STORED.test(what) }),
  )
}

function main([folder]) {
  if (!folder) throw new Error('Usage: node tools/contract.mjs <folder with etc/ and package.json>')
  const root = fileURLToPath(new URL('..', import.meta.url))
  const readers = [folder, root].map((from) => (file) => readFileSync(`${from}/${file}`, 'utf8'))
  const changes = compareReleases(...readers)
  for (const { level, what } of changes) console.log(`${level}: ${what}`)
  const [previous, next] = readers.map((read) => JSON.parse(read('package.json')).version)
  const exceptions = JSON.parse(readers[1]('etc/exceptions.json'))[next]
  const unannounced = findUnannounced(changes, { previous, next, exceptions })
  console.log(`${previous} to ${next}: ${changes.length} changes, of level ${levelOf(changes)}.`)
  if (unannounced.length === 0) return
  console.error(`The version ${next} does not announce ${unannounced.length} of them.`)
  process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
