/** docs/guides/astro.md: from an empty folder to a user who has signed in, with `astro dev`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../tools/ports.mjs'
import { start, waitForServer } from '../../tools/run.mjs'
import { findBlocks } from '../package/snippets.ts'
import { findFramework } from '../services.ts'
import { rawClient } from '../wrappers/raw-client.ts'
import { installPackage } from './application.ts'

const GUIDE = 'docs/guides/astro.md'
const FILES = [
  'astro.config.mjs',
  'src/auth.ts',
  'src/middleware.ts',
  'src/pages/auth/[...auth].ts',
  'src/pages/index.astro',
  'src/pages/account.astro',
]

const framework = await findFramework('astro')
// Below the application of the tests, so that it finds the packages.
const folder = join(framework ?? '', '.sites/guide')
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes the first block of each file; later sections of the guide change them. */
function writeFiles(): void {
  rmSync(folder, { recursive: true, force: true })
  const blocks = findBlocks(GUIDE, readFileSync(GUIDE, 'utf8'))
  for (const file of FILES) {
    const code = blocks.find((block) => block.file === file)?.code
    if (code === undefined) throw new Error(`${GUIDE} has no ${file}.`)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
  }
}

test.skipIf(!framework)('a user signs in with the link that the terminal shows', async () => {
  installPackage(framework ?? '')
  writeFiles()
  const port = String(await freePort())
  const astro = join(framework ?? '', 'node_modules/astro/astro.js')
  const server = start(process.execPath, [astro, 'dev', '--port', port, '--host', '127.0.0.1'], {
    cwd: folder,
    env: { NODE_ENV: undefined, ASTRO_TELEMETRY_DISABLED: '1' },
  })
  stops.push(() => server.stop())
  const origin = `http://127.0.0.1:${port}`
  await waitForServer(origin, server)
  const user = rawClient(origin)
  stops.push(() => user.close())

  expect((await user.send('/')).body).toContain('href="/auth/signin"')
  const before = await user.send('/account')
  expect(before.headers.location).toContain('/auth/signin?callbackUrl=')
  const form = { csrfToken: await user.csrfToken(), email: 'ada@example.com' }
  expect((await user.send('/auth/signin/email', { form })).status).toBe(302)
  const link = /Magic link for ada@example\.com: (\S+)/.exec(server.output())?.[1] ?? ''
  const { pathname, search } = new URL(link)
  expect((await user.send(pathname + search)).headers.location).toBe(origin)
  expect((await user.send('/')).body).toContain('Hello, ada@example.com')
  expect((await user.send('/account')).body).toContain('This is for ada@example.com alone.')
  expect((await user.send('/', { form: {} })).status).toBe(303)
  expect((await user.send('/')).body).toContain('href="/auth/signin"')
})
