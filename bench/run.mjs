// npm run bench: prints a table of ratios. The times are those of one machine at one moment; compare the ratios.
//
//   npm run bench                  everything (about four minutes)
//   npm run bench -- session       the cases whose name contains this
import './production.mjs'
import { cpus, loadavg } from 'node:os'
import { cases as database } from './cases/database.mjs'
import { cases as footprint } from './cases/footprint.mjs'
import { cases as next } from './cases/next.mjs'
import { cases as passwords } from './cases/passwords.mjs'
import { cases as protection } from './cases/protection.mjs'
import { cases as routes } from './cases/routes.mjs'
import { cases as session } from './cases/session.mjs'
import { cases as sql } from './cases/sql.mjs'
import { cases as calls } from './cases/calls.mjs'
import { cases as logout } from './cases/logout.mjs'
import { cases as tokens } from './cases/tokens.mjs'
import { cases as wrappers } from './cases/wrappers.mjs'
import { closeDatabases } from './sql-sites.mjs'

const filters = process.argv.slice(2)
// Databases after the routes: better-auth tracks async context, which makes every promise of the process slower.
const cases = [
  ...session,
  ...database,
  ...routes,
  ...sql,
  ...footprint,
  ...next,
  ...calls,
  ...tokens,
  ...logout,
  ...wrappers,
  ...protection,
  ...passwords,
].filter(
  ({ name }) =>
    filters.length === 0 || filters.some((part) => name.toLowerCase().includes(part.toLowerCase())),
)

function size({ microseconds, bytes }, unit) {
  if (bytes !== undefined) return `${(bytes / 1000).toFixed(1)} kB`
  if (unit === 'requests') return `${(1_000_000 / microseconds).toFixed(0)} /s`
  if (microseconds >= 10_000) return `${(microseconds / 1000).toFixed(0)} ms`
  return `${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs`
}

function amount(result, unit) {
  const { statements, processor } = result
  const times = statements && ` in ${statements} statement${statements === 1 ? '' : 's'}`
  const cost = processor && `, ${processor.toFixed(0)} µs`
  return size(result, unit) + (times ?? cost ?? '')
}

/** The contenders other than lib-auth and the limit, best first, with their names if there are several. */
function sortPeers({ 'lib-auth': _ours, limit: _limit, ...others }) {
  const peers = Object.entries(others).toSorted(([, a], [, b]) => a.ratio - b.ratio)
  return peers.map(([name, result]) => ({ result, name: peers.length > 1 ? ` ${name}` : '' }))
}

/** The aims, and whether they are met. */
function verdict(
  { peer, limit, bytes, statements, more, slower, most } = {},
  results,
  [best] = [],
) {
  const checks = []
  const { 'lib-auth': ours } = results
  if (peer) checks.push([`≥ ${peer.toFixed(1)}×`, best.result.ratio >= peer])
  if (limit) checks.push([`≥ ${limit} of limit`, results.limit.ratio >= limit])
  if (bytes) checks.push([`≤ ${bytes / 1000} kB`, ours.bytes <= bytes])
  if (more) {
    const difference = ours.microseconds - results.limit.microseconds
    checks.push([`${difference.toFixed(1)} µs more, ≤ ${more}`, difference <= more])
  }
  if (slower) {
    const part = 1 / results.limit.ratio - 1
    checks.push([`${(part * 100).toFixed(1)} % slower, ≤ ${slower * 100} %`, part <= slower])
  }
  if (most) checks.push([`≤ ${most} µs`, ours.microseconds <= most])
  if (statements) checks.push([`≤ ${statements} statements`, ours.statements <= statements])
  return checks.map(([aim, isMet]) => `${aim} ${isMet ? '✓' : '✗'}`).join(', ')
}

const load = loadavg()[0]?.toFixed(1)
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, load average ${load}\n`,
)
console.log('| case | lib-auth | peer | ratio | limit | of limit | aim |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |')
function print(cells) {
  console.log(`| ${cells.join(' | ')} |`)
}
/** One case that fails must not lose the measurements of the others. */
const failures = []
for (const { name, aim, unit, run } of cases) {
  let results
  try {
    results = await run()
  } catch (error) {
    failures.push({ name, error })
    print([name, 'failed', '', '', '', '', ''])
    continue
  }
  const { 'lib-auth': ours, limit } = results
  const [peer, ...others] = sortPeers(results)
  print([
    name,
    amount(ours, unit),
    peer ? amount(peer.result, unit) + peer.name : '',
    peer ? `${peer.result.ratio.toFixed(1)}×` : '',
    limit ? amount(limit, unit) : '',
    limit ? limit.ratio.toFixed(2) : '',
    verdict(aim, results, [peer]),
  ])
  for (const { result, name: other } of others)
    print(['', '', amount(result, unit) + other, `${result.ratio.toFixed(1)}×`, '', '', ''])
}
await closeDatabases()
for (const { name, error } of failures) console.error(`\n${name}:`, error)
process.exit(failures.length > 0 ? 1 : 0)
