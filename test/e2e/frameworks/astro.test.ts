/**
 * `lib-auth/astro` in an application that is built with Astro and its adapter for Node.
 * `astro-7.test.ts` runs this file with `ASTRO=astro-7`.
 */
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { findFramework } from '../../services.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import { isSession, opener, signIn } from '../../frameworks/conformance/site.ts'
import type { StartSite } from '../../frameworks/conformance/site.ts'
import { rawBytes } from '../../frameworks/raw-client.ts'
import { listen } from '../../frameworks/servers/listen.ts'
import { buildApplication, copyBuild, loadWith } from './application.ts'

const NAME = process.env['ASTRO'] ?? 'astro'
const folder = (await findFramework(NAME)) ?? ''
const PROGRAM = NAME === 'astro' ? 'astro/astro.js' : 'astro/bin/astro.mjs'

const ENV = { ASTRO_TELEMETRY_DISABLED: '1' }

const startAstro: StartSite = async (site) => {
  // Astro searches the path of its entry for the folder `server`.
  const { path, remove } = copyBuild(folder, 'dist')
  const load = (file: string): Promise<object> =>
    import(pathToFileURL(join(path, 'server', file)).href)
  const server: { handler?: RequestListener } = {}
  await loadWith(site, {}, async () => {
    Object.assign(server, await load('entry.mjs'))
    // Otherwise loaded with the first request.
    const files = readdirSync(join(path, 'server'))
    await load(files.find((file) => file.endsWith('_middleware.mjs')) ?? '')
  })
  const { origin, stop } = await listen((req, res) => server.handler?.(req, res))
  return {
    origin,
    async stop() {
      await stop()
      remove()
    },
  }
}

if (folder) {
  if (NAME !== 'astro')
    for (const each of ['src', 'astro.config.mjs', 'tsconfig.json'])
      cpSync(join(folder, '../astro', each), join(folder, each), { recursive: true })
  await buildApplication(folder, {
    command: [PROGRAM, 'build'],
    output: 'dist',
    writes: ['.astro'],
    env: ENV,
  })
  conformance(`lib-auth/astro in ${NAME}`, startAstro, {
    // `@astrojs/node` reads bodies itself, and detaches the connection from a chunked body that was not read to its end.
    leavesConnection: true,
    rejectsTrace: true,
    // `security.checkOrigin` runs before all middleware.
    rejectsForeignForms: true,
    throwsStatus: 500,
  })
  const open = opener(startAstro)

  test('a prerendered page has no session', () => {
    const page = readFileSync(join(folder, 'dist/client/prerendered/index.html'), 'utf8')
    expect(page).toContain('null')
  })

  test('a component that is streamed after the headers never shows what protect rejects', async () => {
    const site = await open()
    const request = `GET /streamed HTTP/1.1\r\nHost: ${new URL(site.origin).host}\r\n\r\n`
    const received = await rawBytes(site.origin, [request])
    expect(received).toMatch(/^HTTP\/1\.1 200[^]*before/)
    expect(received).not.toContain('secret')
    const user = site.user()
    await signIn(user)
    expect((await user.send('/streamed')).body).toContain('secret')
  })

  test('a rule for a path applies with a trailing slash, too', async () => {
    const authorized = ({ url }: { url: URL }) => url.pathname !== '/guarded'
    const user = (await open({ overrides: { callbacks: { authorized } } })).user()
    for (const path of ['/guarded', '/guarded/']) expect((await user.send(path)).status).toBe(302)
  })

  test('an extended session is not set after the headers, and breaks nothing', async () => {
    const site = await open({ overrides: { session: { updateAge: 0 } } })
    const user = site.user()
    await signIn(user)
    const { body, setCookies } = await user.send('/streamed')
    expect(body).toContain('secret')
    expect(setCookies).toEqual([])
  })

  test('a page that is rewritten to another keeps its sign-out', async () => {
    const site = await open({ overrides: { session: { updateAge: 0 } } })
    const user = site.user()
    await signIn(user)
    const answer = await user.send('/goodbye', { form: {} })
    expect(answer.body).toContain('null')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.setCookies.filter(isSession)).toHaveLength(1)
    expect((await user.send('/me')).body).toBe('null')
  })

  test.runIf(NAME === 'astro')(
    'the types are those of Astro and of the session callback',
    async () => {
      const astro = join(folder, 'node_modules', PROGRAM)
      const printed = await run(process.execPath, [astro, 'check'], { cwd: folder, env: ENV })
      expect(printed).toMatch(/Result \(\d\d files\):\s+- 0 errors/)
    },
  )
}
