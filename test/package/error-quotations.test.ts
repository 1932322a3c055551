/** The quotations of docs/errors.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('docs/errors.md quotes pages and log messages exactly as in the source', () => {
  const docs = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .join('\n')
  const quotations = [
    ...docs.matchAll(/^\*\*The user sees:\*\* "(.+)"$/gm),
    ...docs.matchAll(/^\*\*The log:\*\* `(.+)`$/gm),
  ].map(([, text = '']) => text)
  // A page consists of sentences, a message of texts and values.
  const fragments = quotations
    .flatMap((text) => text.split(/…\.?|(?<=\.) (?=[A-Z])/))
    .map((text) => text.trim())
  expect(quotations.length).toBeGreaterThan(50)
  expect(fragments.filter((fragment) => !source.includes(fragment))).toEqual([])
})
