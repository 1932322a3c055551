/** A built Nuxt application, in the process of the test. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../tools/run.mjs'
import { findFramework } from '../../services.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import { isSession, opener, signIn } from '../../frameworks/conformance/site.ts'
import type { OpenSite, StartSite } from '../../frameworks/conformance/site.ts'
import { listen } from '../../frameworks/servers/listen.ts'
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

  test('the application compiles with vue-tsc', async () => {
    const node = (...args: string[]) => run(process.execPath, args, { cwd: app })
    await node('node_modules/nuxt/bin/nuxt.mjs', 'prepare')
    expect(await node('node_modules/vue-tsc/bin/vue-tsc.js', '-b', '--noEmit')).toBe('')
  }, 600_000)

  conformance('lib-auth/nuxt', start, { throwsStatus: 401 })

  describe('pages', () => {
    const open = opener(start)
    let site: OpenSite
    beforeAll(async () => {
      site = await open()
    })

    test('a page contains the session that the server has read', async () => {
      const user = site.user()
      await signIn(user)
      const { body } = await user.send('/page')
      expect(body).toContain('<p>User ada</p>')
      expect(body).toMatch(/<script[^>]*id="__NUXT_DATA__"[^>]*>[^<]*"User ada"/)
    })

    test('route middleware protects a page in every spelling of its path', async () => {
      const user = site.user()
      for (const path of ['/account', '/%61ccount', '/ACCOUNT', '/account/', '//account'])
        expect((await user.send(path)).body).not.toContain('The account of')
      const { status, headers } = await user.send('/account?tab=1')
      expect([status, headers.location]).toEqual([
        302,
        '/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1',
      ])
      await signIn(user)
      expect((await user.send('/account')).body).toContain('The account of User ada')
    })

    test('a handler that a page calls without a connection reads the same session', async () => {
      const user = site.user()
      await signIn(user)
      expect((await user.send('/account')).body).toContain('User ada also by a request')
    })

    test('a page that Nuxt caches contains no session', async () => {
      const user = site.user()
      await signIn(user)
      expect((await user.send('/cached')).body).not.toContain('User ada')
      const other = await site.user().send('/cached')
      expect([other.status, other.setCookies]).toEqual([200, []])
      expect(other.body).not.toContain('User ada')
    })

    test('an extended session is set as a cookie of the page', async () => {
      const due = await open({ overrides: { session: { updateAge: 0 } } })
      const user = due.user()
      await signIn(user)
      const answer = await user.send('/page')
      expect(answer.setCookies.filter(isSession)).toHaveLength(1)
      expect(answer.headers['cache-control']).toBe('private, no-store')
    })
  })
})
