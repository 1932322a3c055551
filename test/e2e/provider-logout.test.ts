/** Sign-out at a certified provider in Chromium, from the site and on the page of the provider itself. */
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { showSignOut } from '../../examples/openid-provider/pages.mjs'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { insecureHttp } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { freePort } from '../../tools/ports.mjs'
import { SECRET, silentLog } from '../config.ts'
import { startCertified } from '../core/flows/certified-provider.mjs'
import { findBrowser } from '../services.ts'
import { startLogoutSite } from './logout-site.ts'
import type { LogoutSite } from './logout-site.ts'
import { button, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()
const CLIENT_SECRET = 'a secret of the client, for tests'
const PROVIDER_PAGE = 'Sign out of the demo provider, too?'

const SITES = (['jwt', 'database'] as const).flatMap((strategy) =>
  ['/auth', '/account/login'].map((basePath) => ({ strategy, basePath })),
)

const ports = await Promise.all(SITES.map(() => freePort()))
const proxyPort = await freePort()
const deploymentPort = await freePort()

/** A client of the provider, whose URLs begin with `routes`. */
function clientOf(id: string, routes: string) {
  return {
    client_id: id,
    client_secret: CLIENT_SECRET,
    redirect_uris: [`${routes}/callback/op`],
    post_logout_redirect_uris: [`${routes}/post-logout`],
    backchannel_logout_uri: `${routes}/backchannel-logout/op`,
    backchannel_logout_session_required: true,
    response_types: ['code'],
    grant_types: ['authorization_code'],
  }
}

const proxyRoutes = `http://localhost:${proxyPort}/auth`

const provider = await startCertified({
  port: undefined,
  clients: [
    ...SITES.map(({ basePath }, index) =>
      clientOf(`site${index}`, `http://localhost:${ports[index]}${basePath}`),
    ),
    clientOf('proxied', proxyRoutes),
  ],
  settings: {
    // Without the dispatcher of the provider, which sends nothing to addresses of this machine.
    fetch: (url: string, { method, headers, body }: RequestInit) =>
      fetch(url, { method: method ?? 'GET', headers: headers ?? {}, body: body ?? null }),
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { logoutSource: showSignOut },
      backchannelLogout: { enabled: true },
    },
  },
})

const { log, logger } = silentLog()

function configOf(clientId: string, basePath: string) {
  return {
    basePath,
    providers: [
      {
        id: 'op',
        name: 'Certified',
        type: 'oidc',
        issuer: provider.issuer,
        clientId,
        clientSecret: CLIENT_SECRET,
        [insecureHttp]: true,
      },
    ],
    adapter: MemoryAdapter(),
    logout: { backChannel: ['op'] },
    protection: 'off',
    secret: SECRET,
    trustHost: true,
    logger,
  } satisfies AuthConfig
}

let browser: Browser
let contexts: BrowserContext[] = []

beforeAll(async () => {
  if (launchOptions) browser = await chromium.launch(launchOptions)
})

afterEach(async () => {
  await Promise.all(contexts.map((each) => each.close()))
  contexts = []
  expect(provider.failures).toEqual([])
  expect(log.errors.splice(0)).toEqual([])
})

afterAll(async () => {
  await browser?.close()
  await provider.close()
})

/** Signs in at the provider, in a new browser. */
async function openAs(login: string, { origin, routes }: LogoutSite): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(60_000)
  contexts.push(context)
  // There is no network for the font of the provider's pages.
  await context.route('https://fonts.googleapis.com/**', (route) => route.abort())
  const page = await context.newPage()
  const query = new URLSearchParams({ callbackUrl: `${origin}/start` })
  await page.goto(`${routes}/signin?${query}`)
  await button(page, 'Continue with Certified').click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]', { hasText: 'Continue' }).click()
  await page.waitForURL(`${origin}/start`)
  await seeHeading(page, 'Signed in')
  return page
}

/** Signs out on the confirmation page of the provider. */
async function confirm(page: Page): Promise<void> {
  await seeHeading(page, PROVIDER_PAGE)
  expect(page.url().startsWith(provider.issuer)).toBe(true)
  await button(page, 'Sign out').click()
}

/** Runs in the page: signs out with the client for browsers. */
async function signOutInBrowser(page: Page, routes: string): Promise<void> {
  await page.evaluate(
    `void auth.createClient({ basePath: ${JSON.stringify(new URL(routes).pathname)} })
      .signOut({ federated: true, redirectTo: '/goodbye' })`,
  )
}

async function expectAsked(page: Page, { routes }: LogoutSite): Promise<void> {
  await page.goto(`${routes}/signin`)
  await button(page, 'Continue with Certified').click()
  await page.locator('input[name=password]').waitFor()
}

describe.skipIf(!launchOptions)('a sign-out at a certified provider', () => {
  describe.each(SITES)('with $strategy sessions at $basePath', ({ strategy, basePath }) => {
    let site: LogoutSite
    beforeAll(async () => {
      const index = SITES.findIndex(
        (each) => each.strategy === strategy && each.basePath === basePath,
      )
      site = await startLogoutSite(
        { port: ports[index] ?? 0 },
        { ...configOf(`site${index}`, basePath), session: { strategy } },
      )
    })
    afterAll(() => site?.stop())

    test('on a page of the provider ends the session with the next request', async () => {
      const page = await openAs('ada', site)
      const tab = await page.context().newPage()
      await tab.goto(site.origin)
      const other = await openAs('grace', site)
      const before = site.notices.length
      await page.goto(`${provider.issuer}/session/end`)
      await confirm(page)
      await expect.poll(() => site.notices.slice(before)).toEqual([200])
      await tab.reload()
      await seeHeading(tab, 'Signed out')
      await other.reload()
      await seeHeading(other, 'Signed in')
    })

    test('by a script of the site leads there, and back', async () => {
      const page = await openAs('ada', site)
      await signOutInBrowser(page, site.routes)
      await confirm(page)
      await page.waitForURL(`${site.origin}/goodbye`)
      await seeHeading(page, 'Signed out')
      await expectAsked(page, site)
    })

    test('by the form of the built-in page leads there, and back', async () => {
      const page = await openAs('ada', site)
      const query = new URLSearchParams({ federated: 'true', callbackUrl: '/goodbye' })
      await page.goto(`${site.routes}/signout?${query}`)
      await button(page, 'Sign out').click()
      await confirm(page)
      await page.waitForURL(`${site.origin}/goodbye`)
      await seeHeading(page, 'Signed out')
      await expectAsked(page, site)
    })

    test('returns to a page that says so, if the return is repeated or has no state', async () => {
      const page = await openAs('ada', site)
      await signOutInBrowser(page, site.routes)
      await seeHeading(page, PROVIDER_PAGE)
      const returned = page.waitForRequest((request) => request.url().includes('/post-logout?'))
      await button(page, 'Sign out').click()
      const url = (await returned).url()
      await page.waitForURL(`${site.origin}/goodbye`)
      for (const again of [url, `${site.routes}/post-logout`, `${url}x`]) {
        await page.goto(again)
        await seeHeading(page, 'You have signed out')
        expect(page.url()).toBe(again)
      }
    })
  })

  describe.each([
    { strategy: 'jwt', secrets: 'one secret' },
    { strategy: 'database', secrets: 'one secret' },
    { strategy: 'jwt', secrets: 'secrets of their own' },
  ] as const)('behind a redirect proxy, with $strategy sessions and $secrets', (row) => {
    const { strategy, secrets } = row
    let proxy: LogoutSite
    let deployment: LogoutSite
    beforeAll(async () => {
      const shared = {
        ...configOf('proxied', '/auth'),
        session: { strategy },
        redirectProxyUrl: proxyRoutes,
        redirectProxySecret: 'a secret of the redirect proxy, for tests',
        redirectProxyAllowedOrigins: [`http://127.0.0.1:${deploymentPort}`],
      }
      proxy = await startLogoutSite({ port: proxyPort }, shared)
      const secret = secrets === 'one secret' ? SECRET : `${SECRET} of the deployment`
      deployment = await startLogoutSite(
        { host: '127.0.0.1', port: deploymentPort },
        { ...shared, secret, basePath: '/preview/auth' },
      )
    })
    afterAll(() => {
      proxy?.stop()
      deployment?.stop()
    })

    test('from a deployment leads there, and back to the deployment', async () => {
      const page = await openAs('ada', deployment)
      await signOutInBrowser(page, deployment.routes)
      await confirm(page)
      await page.waitForURL(`${deployment.origin}/goodbye`)
      await seeHeading(page, 'Signed out')
      await expectAsked(page, deployment)
    })

    const ends = secrets === 'one secret' ? 'ends' : 'does not end'
    test(`on a page of the provider ${ends} sessions of a deployment with the same store`, async () => {
      const page = await openAs('ada', deployment)
      const tab = await page.context().newPage()
      const before = proxy.notices.length
      await page.goto(`${provider.issuer}/session/end`)
      await confirm(page)
      await expect.poll(() => proxy.notices.slice(before)).toEqual([200])
      await tab.goto(deployment.origin)
      await seeHeading(tab, ends === 'ends' ? 'Signed out' : 'Signed in')
    })
  })
})
