/** The examples of frameworks: built as `npm run demo -- <name>` builds them, checked with their compilers, in Chromium. */
import { describe, expect, test } from 'vitest'
import { buildFrameworkDemo, FRAMEWORKS, nodeProblem } from '../../../tools/demo-server.mjs'
import { run } from '../../../tools/run.mjs'
import { exampleSuite } from '../example-suite.ts'
import { findBrowser, findExample, findRuntime } from '../../services.ts'

const launchOptions = await findBrowser()

/** The status of the page after a wrong password; that of Nuxt is reached by a redirect. */
const REJECTIONS: Readonly<Record<string, number>> = { nuxt: 200, sveltekit: 400 }

const examples = await Promise.all(
  Object.entries(FRAMEWORKS).map(async ([name, { title }]) => ({
    name,
    title,
    folder: await findExample(name),
    node: nodeProblem(name) ? await findRuntime('node-24') : process.execPath,
  })),
)

describe.skipIf(!launchOptions).for(examples)(
  'the example $name',
  ({ name, title, folder, node }) => {
    describe.skipIf(!folder || !node)('built for production', () => {
      const statusOfRejection = REJECTIONS[name] ?? 401
      const program = node ?? ''
      const prepare = () => buildFrameworkDemo(name, program)
      exampleSuite({ name, title, statusOfRejection, prepare, node: program }, launchOptions ?? {})

      test('passes the type checker of the framework', { timeout: 600_000 }, async () => {
        const checked = run('npm', ['run', 'check'], { cwd: folder ?? '' })
        await expect(checked).resolves.toMatch(/check/)
      })
    })
  },
)
