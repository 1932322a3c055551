// The tests that cover each row of the specification. Prints a Markdown table; `--uncovered` prints the rows without a test.
// Rows are in test/specification/rows.json. A comment `// Covers: <row>, <row>` above a test assigns it to rows.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** @type {{ notBuilt: string[], sections: Record<string, Record<string, string>> }} */
const { notBuilt, sections } = JSON.parse(
  readFileSync(`${ROOT}test/specification/rows.json`, 'utf8'),
)

const isNode = (value) => typeof value === 'object' && value !== null
const calleeName = (callee) =>
  isNode(callee) ? (callee.name ?? calleeName(callee.object ?? callee.callee ?? callee.tag)) : ''

/** Tests with a title, suites for adapters, and the functions of type tests: where each starts, and its name. */
function testsBelow(node) {
  if (!isNode(node)) return []
  const below = Object.values(node).flatMap(testsBelow)
  if (node.type === 'FunctionDeclaration')
    return [{ start: node.start, name: node.id.name }, ...below]
  const name = node.type === 'CallExpression' ? calleeName(node.callee) : ''
  if (name === 'testAdapter') return [{ start: node.start, name }, ...below]
  const title = name === 'test' ? node.arguments[0]?.value : undefined
  return typeof title === 'string' ? [{ start: node.start, name: title }, ...below] : below
}

/** The row ids above each test of a file. */
function coverageOf(file) {
  const source = readFileSync(ROOT + file, 'utf8')
  const comments = [...source.matchAll(/^ *\/\/ Covers: (.+)$/gm)]
  if (comments.length === 0) return []
  const starts = testsBelow(parseSync(file, source).program).toSorted((a, b) => a.start - b.start)
  return comments.flatMap(({ index, 1: list }) => {
    const name = starts.find(({ start }) => start > index)?.name ?? ''
    return list.split(', ').map((id) => [id, `${file} › ${name}`])
  })
}

function testFiles() {
  return readdirSync(`${ROOT}test`)
    .filter((folder) => !['apps', 'fixtures'].includes(folder) && !folder.includes('.'))
    .flatMap((folder) =>
      readdirSync(`${ROOT}test/${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (file) => `test/${folder}/${file}`,
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/node_modules/'))
}

/** Row id → tests, as `file › title`. */
function readCoverage() {
  const tests = new Map()
  for (const [id, test] of testFiles().flatMap(coverageOf))
    tests.set(id, [...(tests.get(id) ?? []), test])
  return tests
}

const tests = readCoverage()
const ids = Object.values(sections).flatMap(Object.keys)

/** Rows with neither a test nor an entry in `notBuilt`, and rows that a comment names but the specification lacks. */
export const uncovered = ids.filter((id) => !tests.has(id) && !notBuilt.includes(id))
export const unknown = [...tests.keys()].filter((id) => !ids.includes(id))
export { ids, notBuilt, sections }

function printSection([section, rows]) {
  console.log(`\n## ${section}\n\n| Row | Requirement | Tests |\n| --- | --- | --- |`)
  for (const [id, requirement] of Object.entries(rows))
    console.log(
      `| \`${id}\` | ${requirement} | ${(tests.get(id) ?? ['not built yet']).join('<br>')} |`,
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--uncovered')) console.log(uncovered.join('\n'))
  else Object.entries(sections).forEach(printSection)
}
