/** The servers of docs/guides/other-servers.md on the runtimes for which they are written. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { findRuntime, findWorkerd } from '../services.ts'
import { bundleGuide, ENVIRONMENT, startProgram } from './guide-program.ts'
import { checks, testHttp } from './test-http.ts'
import { WORKERS } from './worker-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-runtimes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

test('there are 27 checks', () => {
  expect(checks).toHaveLength(27)
})

const NODE = `import { server } from './node'
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))`

for (const [name, find] of [
  ['Node.js 20', async () => process.execPath],
  ['Node.js 22', () => findRuntime('node-22')],
  ['Node.js 24', () => findRuntime('node-24')],
] as const) {
  const program = await find()
  describe.skipIf(!program)(`node.ts of the guide on ${name}`, () =>
    testHttp(async () => {
      const code = await bundleGuide(NODE, { platform: 'node' })
      return startProgram([program ?? ''], { code, folder })
    }),
  )
}

const bun = await findRuntime('bun')
describe.skipIf(!bun)('bun.ts of the guide', () =>
  testHttp(async () => {
    const banner = `const { serve } = Bun; Bun.serve = (options) => serve({ ...options, hostname: '127.0.0.1' })`
    const entry = `import { server } from './bun'\nconsole.log('port ' + server.port)`
    const code = await bundleGuide(entry, { banner })
    return startProgram([bun ?? '', 'run'], { code, folder })
  }),
)

const deno = await findRuntime('deno')
describe.skipIf(!deno)('deno.ts of the guide', () =>
  testHttp(async () => {
    const banner = `const { serve } = Deno; Deno.serve = (options, ...rest) => serve({ ...options, hostname: '127.0.0.1' }, ...rest)`
    const entry = `import { server } from './deno'\nconsole.log('port ' + server.addr.port)`
    const code = await bundleGuide(entry, { banner })
    const options = ['run', '--no-remote', '--no-prompt', '--allow-net', '--allow-env']
    return startProgram([deno ?? '', ...options], { code, folder })
  }),
)

const workerd = await findWorkerd()
describe.skipIf(!workerd).each(WORKERS)(
  'worker.ts of the guide in workerd with $name',
  ({ compatibilityDate, flags }) =>
    testHttp(async () => {
      const { Miniflare } = await import('miniflare')
      vi.stubEnv('TMPDIR', folder)
      const worker = new Miniflare({
        modules: true,
        script: await bundleGuide(`export { default } from './worker'`),
        compatibilityDate,
        compatibilityFlags: flags,
        bindings: ENVIRONMENT,
        host: '127.0.0.1',
      })
      vi.unstubAllEnvs()
      const { origin } = await worker.ready
      return { origin, stop: () => worker.dispose() }
    }),
)
