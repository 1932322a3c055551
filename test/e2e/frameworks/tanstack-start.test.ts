/**
 * `lib-auth/tanstack-start` in an application that is built with TanStack Start, and served by srvx. The framework needs
 * Node 22: an older one runs this file again with Node 24.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { RequestListener } from 'node:http'
import { run } from '../../../tools/run.mjs'
import { findFramework, findRuntime } from '../../services.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import type { StartSite } from '../../frameworks/conformance/site.ts'
import { listen } from '../../frameworks/servers/listen.ts'
import { buildApplication, copyBuild, loadWith, runTests } from './application.ts'
import { startRows } from './tanstack-start-requests.ts'

const folder = (await findFramework('tanstack-start')) ?? ''
const isSupported = Number.parseInt(process.versions.node, 10) >= 22
const node = isSupported ? null : await findRuntime('node-24')

type Fetch = (request: Request) => Promise<Response>

const load = (file: string): Promise<unknown> => import(pathToFileURL(file).href)

const start: StartSite = async (site) => {
  const { path, remove } = copyBuild(folder, 'dist/server')
  const { toNodeHandler } = (await load(
    join(folder, 'node_modules/srvx/dist/adapters/node.mjs'),
  )) as { toNodeHandler: (fetch: Fetch) => RequestListener }
  const server = await loadWith(site, {}, () => load(join(path, 'server.js')))
  const { default: application } = server as { default: { fetch: Fetch } }
  // The application loads its modules with the first request.
  await loadWith(site, {}, () => application.fetch(new Request('http://localhost/')))
  const { origin, stop } = await listen(toNodeHandler(application.fetch))
  return {
    origin,
    async stop() {
      await stop()
      remove()
    },
  }
}

// srvx builds a `Request` with the method TRACE, which throws. TanStack Start redirects `//x` to `/x` of its own host, and
// a body that a middleware has read is consumed, for server routes of the application as well.
const exceptions: Exceptions = {
  rejectsTrace: true,
  readsBodiesOnce: true,
  redirectsDoubleSlashes: true,
  throwsStatus: 401,
}

if (folder && isSupported) {
  await buildApplication(folder, {
    command: ['vite/bin/vite.js', 'build'],
    output: 'dist',
    writes: ['src/routeTree.gen.ts'],
  })
  describe('TanStack Start', () => {
    // TanStack Start prints the errors of server functions.
    beforeAll(() => void vi.spyOn(console, 'error').mockReturnValue())
    conformance('lib-auth/tanstack-start', start, exceptions)
    startRows(folder, start)

    test('compiles with the types of TanStack Start', async () => {
      const compiler = join(folder, 'node_modules/typescript/bin/tsc')
      expect(await run(process.execPath, [compiler, '-p', '.'], { cwd: folder })).toBe('')
    })
  })
}

test.skipIf(!folder || !node)(
  'passes the tests on Node 24',
  async () => {
    const printed = await runTests(node ?? '', 'test/e2e/frameworks/tanstack-start.test.ts', {})
    expect(printed).toMatch(/Tests {2}\d+ passed/)
    // It ends by the timeouts of its own tests.
  },
  600_000,
)
