/** A page of the application in place of the built-in `step-up`, for users with a second step, in Chromium. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { StepUpRequired } from '../../src/errors.ts'
import { confirmFactor, enrollFactor } from '../../src/factors.ts'
import { requireAuth } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { Password } from '../../src/password.ts'
import { SECRET, silentLog } from '../config.ts'
import { appCode } from '../core/factors/app-code.ts'
import { ADA, cheapHash, RIGHT } from '../core/password/password-site.ts'
import { findBrowser } from '../services.ts'
import { startPasskeySite } from './passkey-site.ts'
import type { PasskeySite } from './passkey-site.ts'
import { button, seeHeading } from './user-actions.ts'

const launchOptions = await findBrowser()

/** Seconds. */
const MAX_AGE = 60

/** As in the guides: the form sends what the page received, with the CSRF token. */
const PAGE = `<!doctype html><html lang="en"><title>Confirm</title>
<h1></h1><p role="alert"></p>
<form method="post">
  <input type="hidden" name="csrfToken"><input type="hidden" name="callbackUrl"><input type="hidden" name="stepUp">
  <input type="hidden" name="email" value="${ADA}">
  <label>Password <input name="password" type="password"></label>
  <label>Code <input name="code" autocomplete="one-time-code"></label>
  <button disabled>Continue</button>
</form>
<script type="module">
  const query = new URLSearchParams(location.search)
  const form = document.forms[0]
  const isSecondStep = query.get('secondStep') === 'required'
  document.querySelector('h1').textContent = isSecondStep ? 'Your code' : 'Your password'
  document.querySelector('[role=alert]').textContent = query.get('code') ?? ''
  form.action = isSecondStep ? '/auth/step-up' : '/auth/callback/password'
  for (const name of ['callbackUrl', 'stepUp'])
    if (query.has(name)) form.elements[name].value = query.get(name)
    else form.elements[name].remove()
  form.elements[isSecondStep ? 'password' : 'code'].closest('label').remove()
  if (isSecondStep) form.elements.email.remove()
  form.elements.csrfToken.value = (await (await fetch('/auth/csrf')).json()).csrfToken
  form.querySelector('button').disabled = false
</script>`

const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html' } })

describe.skipIf(!launchOptions).each(['jwt', 'database'] as const)('with %s', (strategy) => {
  const adapter = MemoryAdapter()
  const { logger } = silentLog()
  const config: AuthConfig = {
    adapter,
    session: { strategy, assurance: 'kept' },
    basePath: '/auth',
    pages: { stepUp: '/confirm?theme=dark' },
    providers: [Password()],
    account: { send: () => undefined },
    secondStep: {},
    secret: SECRET,
    trustHost: true,
    logger,
  }
  let site: PasskeySite
  let secret = ''

  /** Pages of the application: the one that confirms the user, and one that needs a level and a recent sign-in. */
  async function ownPage(request: Request): Promise<Response | null> {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/confirm') return html(PAGE)
    if (pathname === '/enroll') {
      const { value } = await enrollFactor(request, config)
      secret = value.secret
      const code = await appCode(secret, -1)
      const confirmed = await confirmFactor(request, config, { id: value.id, code })
      return html(`<h1>${confirmed.value.recoveryCodes.join(' ')}</h1>`)
    }
    if (pathname !== '/delete') return null
    try {
      await requireAuth(request, config, { level: 2, maxAge: MAX_AGE })
      return html('<h1>Ready to delete</h1>')
    } catch (error) {
      if (!(error instanceof StepUpRequired)) throw error
      const url = new URL(error.url)
      url.searchParams.set('callbackUrl', `${origin}/delete`)
      return Response.redirect(url.href, 302)
    }
  }

  beforeAll(async () => {
    const row = { id: 'ada', name: 'Ada', email: ADA, emailVerified: new Date(0), image: null }
    await adapter.createUser(row)
    await adapter.setPassword('ada', { hash: cheapHash(RIGHT), changed: new Date(0) })
    site = await startPasskeySite(() => config, launchOptions ?? {}, ownPage)
  })
  afterAll(() => site?.stop())

  async function enterPassword(page: Page): Promise<void> {
    await page.getByLabel('Password').fill(RIGHT)
    await page.getByLabel('Password').press('Enter')
  }

  async function enterCode(page: Page, code: string): Promise<void> {
    await page.getByLabel('Code').fill(code)
    await button(page, 'Continue').click()
  }

  test('asks for the code after the password, again after a wrong one, and for both in a step-up', async () => {
    const first = await site.open()
    await first.getByLabel('E-mail address').fill(ADA)
    await enterPassword(first)
    await seeHeading(first, ADA)
    await first.goto(`${site.url()}/enroll`)
    const recoveryCodes = (await first.getByRole('heading').innerText()).split(' ')
    const page = await site.open()
    await page.getByLabel('E-mail address').fill(ADA)
    await enterPassword(page)
    await seeHeading(page, 'Your code')
    expect(new URL(page.url()).searchParams.get('theme')).toBe('dark')
    await enterCode(page, '000000')
    await page.getByRole('alert').getByText('invalid_second_step').waitFor()
    await enterCode(page, await appCode(secret))
    await seeHeading(page, ADA)
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MAX_AGE * 1000 })
    await page.goto(`${site.url()}/delete`)
    await seeHeading(page, 'Your password')
    await enterPassword(page)
    await seeHeading(page, 'Your code')
    await enterCode(page, recoveryCodes[0] ?? '')
    await seeHeading(page, 'Ready to delete')
    expect(page.url()).toBe(`${site.url()}/delete`)
  })
})
