/** The recipe for SolidStart of docs/guides/other-servers.md, built and served by Node.js. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../tools/ports.mjs'
import { start, waitForServer } from '../../../tools/run.mjs'
import { findBlocks } from '../../package/snippets.ts'
import { ENVIRONMENT } from '../../runtimes/guide-program.ts'
import { testHttp } from '../../runtimes/test-http.ts'
import { findFramework } from '../../services.ts'
import type { RunningSite } from '../../frameworks/conformance/site.ts'
import { rawClient } from '../../frameworks/raw-client.ts'
import { buildApplication } from './application.ts'

const GUIDE = 'docs/guides/other-servers.md'
const folder = (await findFramework('solid-start')) ?? ''

async function build(): Promise<void> {
  const guide = new URL(`../../../${GUIDE}`, import.meta.url)
  const blocks = findBlocks(GUIDE, readFileSync(guide, 'utf8'))
  const { code = '' } = blocks.find(({ file }) => file === 'src/middleware.js') ?? {}
  writeFileSync(join(folder, 'src/middleware.js'), code)
  await buildApplication(folder, {
    command: ['vinxi/bin/cli.mjs', 'build'],
    output: '.output',
    writes: ['.vinxi'],
  })
}

async function startSite(): Promise<RunningSite> {
  const port = await freePort()
  const program = start(process.execPath, [join(folder, '.output/server/index.mjs')], {
    env: { ...ENVIRONMENT, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
  })
  const origin = `http://127.0.0.1:${port}`
  await waitForServer(`${origin}/auth/session`, program)
  return { origin, stop: () => program.stop() }
}

if (folder) await build()
describe.skipIf(!folder)('the recipe for SolidStart', () => {
  testHttp(startSite)

  test('renders the session on the server', async () => {
    const { origin, stop } = await startSite()
    onTestFinished(stop)
    const user = rawClient(origin)
    expect((await user.send('/page')).body).toContain('unauthenticated: undefined')
    const csrfToken = await user.csrfToken()
    const form = { csrfToken, username: 'ada', password: 'correct horse battery staple' }
    await user.send('/auth/callback/password', { form })
    expect((await user.send('/page')).body).toContain('authenticated: Ada')
    user.close()
  })
})
