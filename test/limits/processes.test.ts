/** Three processes with one store have one limit (acceptance D5). */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withDatabases } from '../database/databases.ts'

const SITE = join(import.meta.dirname, 'guessing-site.mjs')

interface Report {
  readonly calls: number
  readonly warnings: readonly string[]
}

function message(child: ReturnType<typeof fork>): Promise<unknown> {
  return Promise.race([
    once(child, 'message').then(([value]: unknown[]) => value),
    once(child, 'exit').then(() => Promise.reject(new Error('The process has ended.'))),
  ])
}

/** What three processes report that guess at the same time. */
async function guessTogether(url: string): Promise<Report[]> {
  const children = [1, 2, 3].map(() => fork(SITE, [url]))
  onTestFinished(() => children.forEach((child) => void child.kill()))
  for (const ready of await Promise.all(children.map(message))) expect(ready).toBe('ready')
  const reports = children.map(message)
  for (const child of children) child.send('start')
  return (await Promise.all(reports)) as Report[]
}

async function expectOneLimit(url: string): Promise<void> {
  const reports = await guessTogether(url)
  const calls = reports.reduce((sum, report) => sum + report.calls, 0)
  expect(calls).toBeGreaterThan(0)
  // A process that waits for the store for more than 200 ms counts for itself.
  const alone = reports.filter(({ warnings }) => warnings.includes('limit-store-unavailable'))
  expect(calls).toBeLessThanOrEqual(10 * (1 + alone.length))
}

await withDatabases(['redis'], ({ redis }) => {
  test('102 parallel guesses in three processes with Redis run authorize at most ten times', () =>
    expectOneLimit(redis.url))
})
