/** A built Nuxt application, in the process of the test. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe } from 'vitest'
import { findFramework } from '../services.ts'
import { conformance } from '../wrappers/conformance/index.ts'
import type { StartSite } from '../wrappers/conformance/site.ts'
import { listen } from '../wrappers/servers/listen.ts'
import { buildApplication, loadWith } from './application.ts'

const folder = await findFramework('nuxt')

describe.skipIf(!folder)('Nuxt', () => {
  const app = folder ?? ''
  const server = join(app, '.output/server')
  const sites: string[] = []

  beforeAll(async () => {
    await buildApplication(app, {
      command: ['nuxt/bin/nuxt.mjs', 'build'],
      output: '.output',
      writes: ['.nuxt'],
    })
  }, 600_000)

  afterAll(() => {
    for (const site of sites) rmSync(site, { recursive: true })
  })

  /** A copy of the server, whose modules read the configuration of this site when they are loaded. */
  const start: StartSite = async (options) => {
    // Vitest does not transform modules in `node_modules`.
    const site = mkdtempSync(join(app, 'node_modules/.site-'))
    sites.push(site)
    cpSync(server, site, { recursive: true })
    const { listener } = await loadWith(
      options,
      {},
      async (): Promise<{ listener: RequestListener }> =>
        import(pathToFileURL(join(site, 'index.mjs')).href),
    )
    return listen(listener)
  }

  conformance('lib-auth/nuxt', start)
})
