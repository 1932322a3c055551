import type { Browser, Page } from 'playwright-core'

const GITHUB = 'https://github.com/login/oauth'

/** Opens a page in a new browser context, in which GitHub answers authorization requests with a code. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  // Playwright's own interception does not cover redirects of form submissions.
  const devtools = await context.newCDPSession(page)
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const parameters = new URL(request.url).searchParams
    const answer = { code: 'a code', state: parameters.get('state') ?? '', iss: GITHUB }
    const location = `${parameters.get('redirect_uri')}?${new URLSearchParams(answer)}`
    const responseHeaders = [{ name: 'location', value: location }]
    void devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders })
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: `${GITHUB}/authorize*` }] })
  await page.goto(url)
  return page
}
