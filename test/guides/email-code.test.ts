/** The pages for e-mail codes in docs/guides/email-code.md */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { RequestHandler } from 'express'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { cookieStore } from '../../src/testing/cookies.ts'
import { mailServer } from '../mail-server.ts'
import { nextSite, thrownRedirect } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('email-code')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

/** The site of the guide on a free port, and a browser on it that follows no redirects. */
async function expressSite() {
  const app = express()
  const server = createServer(app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await vi.waitFor(() => expect(server.listening).toBe(true), { timeout: 60_000 })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mails = await mailServer()
  onTestFinished(() => mails.stop())
  vi.stubEnv('AUTH_URL', origin)
  vi.stubEnv('EMAIL_SERVER', mails.url)
  onTestFinished(stubGuideEnvironment)
  const { lib } = await guide.load<{ lib: { handler: RequestHandler } }>('express/auth.ts')
  const { checkMail } = await guide.load<{ checkMail: RequestHandler }>('express/check-mail.ts')
  app.use(lib.handler).use(checkMail)
  const cookies = cookieStore()
  async function visit(path: string, fields?: Record<string, string>): Promise<Response> {
    const url = new URL(path, origin)
    const method = fields ? 'POST' : 'GET'
    const cookie = cookies.header({ url, method, initiator: 'same-site' })
    const body = fields && { body: new URLSearchParams(fields) }
    const init = { method, headers: { origin, cookie }, ...body }
    const response = await fetch(url, { ...init, redirect: 'manual' })
    for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
    return response
  }
  return { origin, mails: mails.mails, visit }
}

/** A field that a phone fills in from the mail, with a numeric keyboard. */
function expectCodeField(html: string): void {
  const [field = ''] = /<input id="code"[^>]*>/.exec(html) ?? []
  for (const part of ['name="code"', 'inputmode="numeric"', 'autocomplete="one-time-code"'])
    expect(field.toLowerCase()).toContain(part)
  expect(html).toContain('<label for="code">')
}

test('the form of the Express page signs in with a code, and shows that one is wrong', async () => {
  vi.spyOn(console, 'info').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  const { origin, mails, visit } = await expressSite()
  const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string }
  const fields = { csrfToken, email: 'ada@example.com', callbackUrl: '/account' }
  const sent = await visit('/auth/signin/nodemailer', fields)
  const shown = await visit(sent.headers.get('location') ?? '')
  expect(shown.headers.get('location')).toBe(`${origin}/check-mail?provider=nodemailer&type=email`)
  const [code = ''] = /\d{6}/.exec(mails[0]?.text ?? '') ?? []
  const wrong = await visit('/check-mail', { code: code === '000000' ? '111111' : '000000' })
  expect(wrong.headers.get('location')).toBe('/check-mail?error=Verification')
  const page = await (await visit('/check-mail?error=Verification')).text()
  expectCodeField(page)
  expect(page).toContain('The code is wrong or has expired.')
  const right = await visit('/check-mail', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect(right.headers.get('location')).toBe(`${origin}/account`)
  expect(await (await visit('/auth/session')).json()).toMatchObject({
    user: { email: 'ada@example.com' },
  })
})

test('the form of the Next.js page shows that a code is wrong', async () => {
  vi.spyOn(console, 'info').mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  vi.stubEnv('EMAIL_SERVER', 'smtp://localhost')
  interface Form {
    readonly action: (form: FormData) => Promise<void>
  }
  const { default: Page } = await guide.load<{
    default: (props: object) => Promise<ReactElement<Form>>
  }>('app/check-mail/page.tsx')
  const open = (query: object) => Page({ searchParams: Promise.resolve(query) })
  const { action } = (await open({})).props
  const form = new FormData()
  form.set('code', '000000')
  const work = nextSite().action(() => action(form))
  expect(await thrownRedirect(work)).toBe('/check-mail?error=Verification')
  const html = renderToStaticMarkup(await open({ error: 'Verification' }))
  expectCodeField(html)
  expect(html).toContain('role="alert">The code is wrong or has expired.')
})
