/**
 * `lib-auth/sveltekit` in an application that is built with SvelteKit and its adapter for Node.
 * `sveltekit-3.test.ts` runs this file with `SVELTEKIT=sveltekit-3`.
 */
import { cpSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { conformance } from '../wrappers/conformance/index.ts'
import type { Exceptions } from '../wrappers/conformance/index.ts'
import type { StartSite } from '../wrappers/conformance/site.ts'
import { listen } from '../wrappers/servers/listen.ts'
import { findFramework } from '../services.ts'
import { buildApplication, copyBuild, loadWith } from './application.ts'

const NAME = process.env['SVELTEKIT'] ?? 'sveltekit'
const folder = (await findFramework(NAME)) ?? ''

async function build(): Promise<void> {
  if (NAME !== 'sveltekit') {
    rmSync(join(folder, 'src'), { recursive: true, force: true })
    cpSync(join(folder, '../sveltekit/src'), join(folder, 'src'), { recursive: true })
  }
  const command = ['vite/bin/vite.js', 'build']
  await buildApplication(folder, { command, output: 'build', writes: ['.svelte-kit'] })
}

const startSvelteKit: StartSite = async ({ config, allow }) => {
  const { path, remove } = copyBuild(folder, 'build')
  const server: { handler?: RequestListener } = {}
  const { origin, stop } = await listen((req, res) => {
    // As a reverse proxy does, for SvelteKit 3.
    req.headers['x-scheme'] = 'http'
    server.handler?.(req, res)
  })
  const env = { ORIGIN: origin, PROTOCOL_HEADER: 'x-scheme' }
  await loadWith({ config, allow }, env, async () => {
    Object.assign(server, await import(pathToFileURL(join(path, 'handler.js')).href))
  })
  return {
    origin,
    async stop() {
      await stop()
      remove()
    },
  }
}

// Both convert requests themselves, and destroy one whose body is cancelled. SvelteKit 2 leaves the rest of a rejected
// body unread.
const exceptions: Exceptions = {
  ...(NAME === 'sveltekit' && { closesConnection: true }),
  resetsConnection: true,
  rejectsTrace: true,
}

if (folder) {
  await build()
  conformance(`lib-auth/sveltekit in ${NAME}`, startSvelteKit, exceptions)
}
