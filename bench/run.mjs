// npm run bench: prints a table of ratios. Numbers of one run on one machine; the ratios are what counts.
//
//   npm run bench                  everything (about two minutes)
//   npm run bench -- session       the cases whose name contains this
import { cpus } from 'node:os'
import { cases as database } from './cases/database.mjs'
import { cases as footprint } from './cases/footprint.mjs'
import { cases as next } from './cases/next.mjs'
import { cases as routes } from './cases/routes.mjs'
import { cases as session } from './cases/session.mjs'

const wanted = process.argv.slice(2)
const cases = [...session, ...database, ...routes, ...footprint, ...next].filter(
  ({ name }) =>
    wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase())),
)

function amount({ microseconds, bytes }, unit) {
  if (bytes !== undefined) return `${(bytes / 1000).toFixed(1)} kB`
  if (unit === 'requests') return `${(1_000_000 / microseconds).toFixed(0)} /s`
  if (microseconds >= 10_000) return `${(microseconds / 1000).toFixed(0)} ms`
  return `${microseconds.toFixed(microseconds < 100 ? 1 : 0)} µs`
}

/** The established implementation: its core, or its wrapper for Next.js. */
function peerOf(results) {
  return results['@auth/core'] ?? results['next-auth']
}

/** What was aimed at, and whether it was reached. */
function verdict({ peer, limit, bytes } = {}, results) {
  const checks = []
  if (peer) checks.push([`≥ ${peer.toFixed(1)}×`, peerOf(results).ratio >= peer])
  if (limit) checks.push([`≥ ${limit} of limit`, results.limit.ratio >= limit])
  if (bytes) checks.push([`≤ ${bytes / 1000} kB`, results['lib-auth'].bytes <= bytes])
  return checks.map(([aim, isMet]) => `${aim} ${isMet ? '✓' : '✗'}`).join(', ')
}

console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}\n`)
console.log('| case | lib-auth | established | ratio | limit | of limit | aim |')
console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- |')
for (const { name, aim, unit, run } of cases) {
  const results = await run()
  const { 'lib-auth': ours, limit } = results
  const peer = peerOf(results)
  const cells = [
    name,
    amount(ours, unit),
    peer ? amount(peer, unit) : '',
    peer ? `${peer.ratio.toFixed(1)}×` : '',
    limit ? amount(limit, unit) : '',
    limit ? limit.ratio.toFixed(2) : '',
    verdict(aim, results),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
process.exit(0)
