/** A site with passkeys on loopback, and browsers for it. */
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, LaunchOptions, Page } from 'playwright-core'
import { Auth, getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { portOf, send, toRequest } from '../cli/doctor/run-doctor.ts'

/** Resolves to this machine, and is not a secure context on http. */
const OTHER_HOST = 'app.test'

export interface PasskeySite {
  /** Origin of the site on `localhost`, or on another host name. */
  readonly url: (host?: string) => string
  /** Opens the sign-in page in a new browser context. */
  readonly open: (options?: BrowserContextOptions & { host?: string }) => Promise<Page>
  readonly stop: () => Promise<void>
}

/**
 * Starts the site, with the configuration of each request. Its home page shows the e-mail address of the signed-in user.
 *
 * @param ownPage - answers the requests for pages of the application; `null`: with the home page
 */
export async function startPasskeySite(
  configOf: () => AuthConfig,
  launchOptions: LaunchOptions,
  ownPage: (request: Request) => Promise<Response | null> = async () => null,
): Promise<PasskeySite> {
  async function respond(request: Request): Promise<Response> {
    const config = configOf()
    if (new URL(request.url).pathname.startsWith('/auth/')) return Auth(request, config)
    const own = await ownPage(request)
    if (own) return own
    const { session } = await getSession(request, config)
    return new Response(`<h1>${session?.user?.email ?? 'Signed out'}</h1>`, {
      headers: { 'content-type': 'text/html' },
    })
  }
  const server = createServer((request, response) => {
    void toRequest(request)
      .then(respond)
      .then((answer) => send(answer, response))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const port = portOf(server.address())
  const browser: Browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`],
  })
  const url = (host = 'localhost') => `http://${host}:${port}`
  return {
    url,
    async open({ host, ...options } = {}) {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      await page.goto(`${url(host)}/auth/signin`)
      return page
    },
    async stop() {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
