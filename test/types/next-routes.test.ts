/** Routes, pages and layouts around `auth` satisfy the type checks of Next.js. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeNextApp, nextProgram } from '../../tools/next-app.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const WRONG_ROUTE = `
import { auth } from '../../../auth'
export const GET = auth(async (_request, { params }: { params: Promise<{ slug: string }> }) => {
  return new Response((await params).slug)
})
`

function run(cwd: string, ...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, encoding: 'utf8' }, (_error, stdout) => resolve(stdout))
  })
}

test.each([15, 16])(
  'the types that Next.js %i generates accept handlers of auth',
  { timeout: 120_000 },
  async (version) => {
    const from = join(ROOT, 'test/fixtures/typed-routes')
    const folder = makeNextApp({ from, name: 'typed-routes', version })
    mkdirSync(join(folder, 'app/wrong/[id]'), { recursive: true })
    writeFileSync(join(folder, 'app/wrong/[id]/route.ts'), WRONG_ROUTE)
    await run(folder, nextProgram(version), 'typegen')
    const validator = readFileSync(join(folder, '.next/types/validator.ts'), 'utf8')
    expect(validator.match(/^\/\/ Validate /gm)).toHaveLength(10)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const output = await run(folder, compiler, '-p', '.', '--pretty', 'false')
    const problems = output.split('\n').filter((line) => /^\S/.test(line))
    // Only the parameters that the path lacks are reported.
    expect(problems).toEqual([
      expect.stringMatching(/validator\.ts.*RouteHandlerConfig<"\/wrong\/\[id\]">/),
    ])
  },
)
