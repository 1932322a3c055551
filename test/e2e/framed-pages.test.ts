/** Built-in pages in frames of other origins, in Chromium (acceptance C7). */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { insecureHttp } from '../../src/index.ts'
import { browser as testBrowser, issuer } from '../../src/testing/index.ts'
import { freePort } from '../../tools/ports.mjs'
import { oidc, SECRET, silentLog } from '../config.ts'
import { findBrowser } from '../services.ts'
import { startLogoutSite } from './logout-site.ts'
import type { LogoutSite } from './logout-site.ts'

const launchOptions = await findBrowser()

/** A page of another origin, with a frame. */
async function startFraming(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Frame</title><iframe src="${searchParams.get('of')}"></iframe>`)
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return server
}

describe.skipIf(!launchOptions)('a page in a frame', () => {
  let browser: Browser
  let page: Page
  let site: LogoutSite
  let provider: string
  let attacker: string
  const servers: Server[] = []
  const adapter = MemoryAdapter()

  beforeAll(async () => {
    const [sitePort, providerPort, attackerPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    servers.push(await startFraming(providerPort), await startFraming(attackerPort))
    provider = `http://127.0.0.1:${providerPort}`
    attacker = `http://127.0.0.1:${attackerPort}`
    const op = await issuer({ url: provider, algorithm: 'ES256' })
    const config = {
      basePath: '/auth',
      providers: [{ ...oidc(op), [insecureHttp]: true }],
      adapter,
      logout: { frontChannel: ['op'] },
      fetch: op.fetch,
      secret: SECRET,
      trustHost: true,
      logger: silentLog().logger,
    } as const
    site = await startLogoutSite({ port: sitePort }, config)
    const tab = testBrowser(config, { issuer: op, origin: site.origin })
    await tab.signIn('op', { sub: 'ada', sid: 'at the provider', email: 'ada@example.com' })
    expect(await tab.session()).not.toBeNull()
    if (launchOptions) browser = await chromium.launch(launchOptions)
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    site?.stop()
    for (const server of servers) server.close()
  })

  async function isShown(framing: string, path: string): Promise<boolean> {
    await page.goto(`${framing}/?${new URLSearchParams({ of: site.routes + path })}`)
    await page.waitForLoadState('load')
    const [frame] = page.frames().slice(1)
    // Of a page that must not be framed, Chromium shows an error of its own.
    return frame?.url().startsWith(site.routes) ?? false
  }

  test.each(['/signin', '/signout', '/step-up', '/error', '/verify-request'])(
    '%s is shown to no other origin, nor to the provider',
    async (path) => {
      expect(await isShown(attacker, path)).toBe(false)
      expect(await isShown(provider, path)).toBe(false)
    },
  )

  const FRAME = `/frontchannel-logout/op?${new URLSearchParams({ iss: 'x', sid: 'y' })}`

  test('of the sign-out is shown to the provider only', async () => {
    expect(await isShown(attacker, FRAME)).toBe(false)
    expect(await isShown(provider, FRAME)).toBe(true)
  })

  test('of the sign-out ends the session at the provider, although the browser sends no cookie', async () => {
    const user = await adapter.getUserByEmail('ada@example.com')
    const sessions = async () => (await adapter.listSessions(user?.id ?? '')).length
    expect(await sessions()).toBe(1)
    const query = new URLSearchParams({ iss: provider, sid: 'another session' })
    await isShown(provider, `/frontchannel-logout/op?${query}`)
    expect(await sessions()).toBe(1)
    query.set('sid', 'at the provider')
    await isShown(provider, `/frontchannel-logout/op?${query}`)
    expect(await sessions()).toBe(0)
  })
})
