// What the landing page of the site shows: code and figures of documents and records. A figure that is not found there
// fails the build.
import { readFileSync } from 'node:fs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

function find(path, pattern) {
  const [, value] = pattern.exec(read(path)) ?? []
  if (value === undefined) throw new Error(`${path} does not contain ${pattern}.`)
  return value
}

export function readFigures() {
  const dependencies = Object.keys(JSON.parse(read('package.json')).dependencies)
  const budgets = JSON.parse(read('etc/budgets.json'))
  const { value: bytes } = budgets['Auth before the first request, gzipped bytes']
  return [
    {
      value: find(
        'docs/reference/performance.md',
        /^\| session read over Auth\(\) \| ([\d.]+ µs) /m,
      ),
      meaning: 'for a request that reads a session from its cookie',
      command: 'npm run bench',
    },
    {
      value: String(dependencies.length),
      meaning: `run-time dependencies: ${dependencies.join(' and ')}`,
      command: 'npm pkg get dependencies',
    },
    {
      value: `${(bytes / 1000).toFixed(1)} kB`,
      meaning: 'of JavaScript (gzip) before the first request',
      command: 'npm run budgets',
    },
  ]
}

/** The configuration whose sign-in page the landing page shows. */
export const readExample = () => find('docs/start.md', /^```ts\n(\/\/ auth\.ts\n[^]*?)\n```$/m)
