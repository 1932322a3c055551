/** An application whose package.json does not name lib-auth: another package of the workspace imports it. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { listen } from '../../frameworks/servers/listen.ts'
import { loadWith } from './application.ts'

const FILES = {
  'package.json': JSON.stringify({ type: 'module', dependencies: { '@my/auth': '*' } }),
  'vite.config.ts': `import { mergeConfig } from 'vite'
    import config from '../../vite.config.ts'
    export default mergeConfig(config, { ssr: { noExternal: ['lib-auth', '@my/auth'] } })`,
  'node_modules/@my/auth/package.json': JSON.stringify({ type: 'module', exports: './index.js' }),
  'node_modules/@my/auth/index.js': `import Lib from 'lib-auth/sveltekit'
    export const { handle, protect, signIn } = Lib({ providers: [], secret: '${'s'.repeat(32)}' })`,
  'src/hooks.server.js': "export { handle } from '@my/auth'",
  'src/routes/+page.server.js': `import { protect, signIn } from '@my/auth'
    export const load = async (event) => void (await protect(event))
    export const actions = { default: signIn }`,
  'src/routes/+page.svelte': '<p>Protected</p>',
}

/** @param folder - an installed application of `test/e2e/frameworks` */
export function workspaceTest(folder: string): void {
  test('protect and form actions redirect if a package that Vite bundles imports lib-auth', async () => {
    mkdirSync(join(folder, '.sites'), { recursive: true })
    const site = mkdtempSync(join(folder, '.sites/workspace-'))
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(site, name)), { recursive: true })
      writeFileSync(join(site, name), text)
    }
    for (const name of ['svelte.config.js', 'src/app.html'])
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(site, name))
    const program = join(folder, 'node_modules/vite/bin/vite.js')
    await run(process.execPath, [program, 'build'], { cwd: site, env: { NODE_ENV: 'production' } })
    const server: { handler?: RequestListener } = {}
    const { origin, stop } = await listen((req, res) => {
      req.headers['x-scheme'] = 'http'
      server.handler?.(req, res)
    })
    try {
      await loadWith({}, { ORIGIN: origin, PROTOCOL_HEADER: 'x-scheme' }, async () => {
        const path = pathToFileURL(join(site, 'build/handler.js')).href
        Object.assign(server, await import(path))
      })
      const headers = { accept: 'text/html', origin }
      const page = await fetch(origin, { headers, redirect: 'manual' })
      const body = new URLSearchParams({ redirectTo: '/' })
      const form = await fetch(origin, { method: 'POST', headers, body, redirect: 'manual' })
      expect([page.status, form.status]).toEqual([302, 303])
    } finally {
      await stop()
      rmSync(site, { recursive: true, force: true })
    }
  })
}
