/** `lib-auth/next` in an application that is built with Next.js, and served by its handler in this process. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { nextProgram } from '../../../tools/next-app.mjs'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import type { RunningSite, SiteOptions } from '../../frameworks/conformance/site.ts'
import { listen } from '../../frameworks/servers/listen.ts'
import { buildApplication, copyBuild } from './application.ts'
import { tokenPageRows } from './next-token-page.ts'

const SOURCE = fileURLToPath(new URL('next', import.meta.url))
const WRITTEN = new Set(['.next', '.sites', 'node_modules', 'next-env.d.ts'])

/** Next.js 15 calls the proxy middleware, and runs it on the edge unless it names the other runtime. */
function copyFor15(): string {
  const folder = fileURLToPath(new URL('../../apps/next-15/conformance', import.meta.url))
  rmSync(join(folder, 'app'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const filter = (path: string) => !WRITTEN.has(basename(path))
  cpSync(SOURCE, folder, { recursive: true, filter })
  const text = readFileSync(join(folder, 'proxy.ts'), 'utf8')
    .replace('as proxy', 'as middleware')
    .replace('matcher:', "runtime: 'nodejs',\n  matcher:")
  writeFileSync(join(folder, 'middleware.ts'), text)
  rmSync(join(folder, 'proxy.ts'))
  return folder
}

/** What is used of the function that Next.js exports for servers of the application. */
type Next = (options: { dir: string; dev: boolean; quiet: boolean }) => {
  prepare: () => Promise<void>
  getRequestHandler: () => RequestListener
  close: () => Promise<void>
}

/** Next.js loads a route when it is first requested: what a request loads reads the site of that request. */
const sites = new AsyncLocalStorage()

async function start(folder: string, site: SiteOptions): Promise<RunningSite> {
  const next = createRequire(join(folder, 'auth.ts'))('next') as Next
  const { path, remove } = copyBuild(folder, '.next', '.next')
  const app = next({ dir: path, dev: false, quiet: true })
  await sites.run(site, () => app.prepare())
  const handle = app.getRequestHandler()
  const { origin, stop } = await listen((req, res) => sites.run(site, () => handle(req, res)))
  return {
    origin,
    async stop() {
      await stop()
      await app.close()
      remove()
    },
  }
}

// A route of Next.js exports GET and POST; Next.js answers the other methods. Its router redirects paths with additional
// slashes, and its proxy redirects with 307. It does not tell a route whether the head of its response has been sent.
const exceptions: Exceptions = {
  decidesInHandlers: true,
  rejectsTrace: true,
  answersOtherMethods: true,
  redirectsSlashes: true,
  dropsLateCookies: true,
  hidesMethod: true,
  redirectsWith307: true,
  redirectsToStepUp: true,
  throwsStatus: 500,
}

/** Builds the application with a version of Next.js, and runs the conformance suite. */
export async function testNext(version: 15 | 16): Promise<void> {
  const folder = version === 15 ? copyFor15() : SOURCE
  await buildApplication(folder, {
    command: [nextProgram(version), 'build'],
    output: '.next',
    writes: ['next-env.d.ts', 'tsconfig.json'],
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  })
  describe(`Next.js ${version}`, () => {
    beforeAll(() => {
      Object.defineProperty(globalThis, Symbol.for('lib-auth.site'), {
        get: () => sites.getStore(),
      })
      vi.stubEnv('NODE_ENV', 'production')
      // Next.js prints the errors of routes.
      vi.spyOn(console, 'error').mockReturnValue()
    })
    afterAll(() => void vi.unstubAllEnvs())
    const run = (site: SiteOptions) => start(folder, site)
    tokenPageRows(run)
    conformance(`lib-auth/next in Next.js ${version}`, run, exceptions, { basePath: '/api/auth' })
  })
}
