/**
 * `lib-auth/sveltekit` in an application that is built with SvelteKit and its adapter for Node.
 * `sveltekit-3.test.ts` runs this file with `SVELTEKIT=sveltekit-3`.
 */
import { cpSync, existsSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { forEachDatabase } from '../../core/tokens/places.ts'
import { conformance } from '../../frameworks/conformance/index.ts'
import type { Exceptions } from '../../frameworks/conformance/index.ts'
import { op, opener, signIn } from '../../frameworks/conformance/site.ts'
import type { StartSite } from '../../frameworks/conformance/site.ts'
import { storedModes, tokenRows } from '../../frameworks/conformance/tokens.ts'
import { listen } from '../../frameworks/servers/listen.ts'
import { findBrowser, findFramework } from '../../services.ts'
import { run } from '../../../tools/run.mjs'
import { buildApplication, copyBuild, loadWith } from './application.ts'
import { clientTests } from './sveltekit-client.ts'
import { workspaceTest } from './sveltekit-workspace.ts'

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

const startSvelteKit: StartSite = async ({ config, rules }) => {
  const { path, remove } = copyBuild(folder, 'build')
  const server: { handler?: RequestListener } = {}
  const { origin, stop } = await listen((req, res) => {
    // As a reverse proxy does, for SvelteKit 3.
    req.headers['x-scheme'] = 'http'
    server.handler?.(req, res)
  })
  const env = { ORIGIN: origin, PROTOCOL_HEADER: 'x-scheme' }
  await loadWith({ config, rules }, env, async () => {
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

// SvelteKit compares the origin of forms before its hooks.
const exceptions: Exceptions = {
  rejectsTrace: true,
  rejectsForeignForms: true,
  throwsStatus: 500,
}

/** A request of the router in the browser. */
const ROUTER = { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }

function pages(): void {
  const open = opener(startSvelteKit)
  const fields = { providerId: 'credentials', username: 'ada', password: 'right' }

  describe(`pages in ${NAME}`, () => {
    test('form actions sign in and out, and report a wrong password', async () => {
      const site = await open()
      const user = site.user()
      const wrong = await user.send('/form?/signIn', { form: { ...fields, password: 'wrong' } })
      expect([wrong.status, wrong.setCookies]).toEqual([400, []])
      expect(wrong.body).toContain('{"error":"credentials"}')
      const limited = []
      for (let attempt = 0; attempt < 11; attempt++)
        limited.push(
          await user.send('/form?/signIn', {
            form: { ...fields, username: 'eve', password: 'wrong' },
          }),
        )
      expect(limited.map(({ status }) => status)).toEqual([...Array<number>(10).fill(400), 429])
      expect(limited.at(-1)?.body).toContain('{"error":"TooManyAttempts"}')
      const form = { ...fields, redirectTo: '/page' }
      const signedIn = await user.send('/form?/signIn', { form })
      expect([signedIn.status, signedIn.headers.location]).toEqual([303, `${site.origin}/page`])
      expect((await user.send('/page')).body).toContain('User ada')
      const referer = `${site.origin}/form`
      const signedOut = await user.send('/form?/signOut', { form: {}, headers: { referer } })
      expect([signedOut.status, signedOut.headers.location]).toEqual([303, referer])
      expect((await user.send('/page')).body).not.toContain('User ada')
    })

    test('a form action leads to a provider, also with use:enhance', async () => {
      const site = await open()
      const { origin } = site
      const user = site.user()
      const form = { providerId: 'op', 'authorizationParams-prompt': 'login' }
      const { status, headers, setCookies } = await user.send('/form?/signIn', { form })
      expect([status, setCookies.some((each) => each.startsWith('lib.state'))]).toEqual([303, true])
      expect(headers.location).toMatch(new RegExp(`^${op.url}.*prompt=login`))
      const { body } = await user.send('/form?/signIn', {
        form,
        headers: { ...ROUTER, origin, accept: 'application/json', 'x-sveltekit-action': 'true' },
      })
      const action = JSON.parse(body) as { type: string; location: string }
      expect([action.type, action.location.startsWith(op.url)]).toEqual(['redirect', true])
    })

    test('the router in the browser follows the redirect of a protected page', async () => {
      const site = await open()
      const user = site.user()
      const request = async () => {
        const { body } = await user.send('/guarded/__data.json?x-sveltekit-invalidated=01', {
          headers: ROUTER,
        })
        return JSON.parse(body) as { type: string; location?: string }
      }
      const redirected = await request()
      expect(redirected.type).toBe('redirect')
      const { pathname, searchParams } = new URL(redirected.location ?? '', site.origin)
      expect([pathname, searchParams.get('callbackUrl')]).toEqual([
        '/auth/signin',
        `${site.origin}/guarded`,
      ])
      await signIn(user)
      expect((await request()).type).toBe('data')
    })

    test('a rule for a page applies to every path that the hook reroute leads to it', async () => {
      const authorized = ({ url }: { url: URL }) => url.pathname !== '/guarded'
      const site = await open({ overrides: { callbacks: { authorized } } })
      const user = site.user()
      for (const path of ['/guarded', '/alias', '/de/guarded', '/de/guarded?x'])
        expect([path, (await user.send(path)).status]).toEqual([path, 302])
      expect((await user.send('/guarded/')).body).not.toContain('secret for')
    })

    test('has no error of svelte-check', async () => {
      const program = join(folder, 'node_modules/svelte-check/bin/svelte-check')
      const args = [program, '--tsconfig', './tsconfig.json', '--output', 'machine']
      const printed = await run(process.execPath, args, { cwd: folder })
      expect(printed).toMatch(/COMPLETED \d+ FILES 0 ERRORS 0 WARNINGS/)
    }, 600_000)

    test('prerenders pages without a session, and no built-in route', async () => {
      const { body } = await (await open()).user().send('/prerendered')
      expect(body).toContain('prerendered')
      expect(body).not.toContain('not prerendered')
      expect(existsSync(join(folder, 'build/prerendered/prerendered.html'))).toBe(true)
      expect(existsSync(join(folder, 'build/prerendered/auth'))).toBe(false)
    })
  })
}

if (folder) {
  await build()
  conformance(`lib-auth/sveltekit in ${NAME}`, startSvelteKit, exceptions)
  await forEachDatabase((storage, openAdapter) =>
    describe(`lib-auth/sveltekit in ${NAME}`, () =>
      tokenRows(opener(startSvelteKit), exceptions, storedModes(openAdapter, ` (${storage})`))),
  )
  pages()
  workspaceTest(folder)
  const launchOptions = await findBrowser()
  if (launchOptions) clientTests(startSvelteKit, launchOptions, join(folder, 'build/client'))
}
