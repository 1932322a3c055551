// What the landing page of the site shows: code and figures of documents that tests compare with reality. A figure whose
// sentence has changed fails the build.
import { readFileSync } from 'node:fs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

function find(path, pattern) {
  const [, value] = pattern.exec(read(path)) ?? []
  if (value === undefined) throw new Error(`${path} does not contain ${pattern}.`)
  return value
}

export function readFigures() {
  const dependencies = Object.keys(JSON.parse(read('package.json')).dependencies)
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
      value: find('docs/decisions/0008-size.md', /\(measured: ([\d.]+ kB)\)/),
      meaning: 'of JavaScript (gzip) that a middleware loads before the first request',
      command: 'npm run test:file -- test/package/middleware-size.test.ts',
    },
  ]
}

/** The configuration whose sign-in page the landing page shows. */
export const readExample = () => find('docs/start.md', /^```ts\n(\/\/ auth\.ts\n[^]*?)\n```$/m)
