/** The configuration of the quick start without an account at a provider. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, expect, test, vi } from 'vitest'
import { cookieStore } from '../../src/testing/cookies.ts'
import { findBlocks } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = 'docs/guides/quick-start-next.md'
const FOLDER = join(ROOT, '.cache/console-magic-link')

interface Application {
  readonly handlers: Record<'GET' | 'POST', (request: Request) => Promise<Response>>
}

afterAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

/** Renders the page of the document for a user who signed in by e-mail. */
async function renderPage(): Promise<string> {
  const blocks = findBlocks(DOCUMENT, readFileSync(join(ROOT, DOCUMENT), 'utf8'))
  const { code = '' } = blocks.find((block) => block.code.includes('startSignOut')) ?? {}
  const session = JSON.stringify({ user: { email: 'ada@example.com' } })
  mkdirSync(join(FOLDER, 'page/app'), { recursive: true })
  writeFileSync(
    join(FOLDER, 'page/auth.ts'),
    `export const auth = async () => (${session}), signIn = () => {}, signOut = () => {}`,
  )
  writeFileSync(join(FOLDER, 'page/app/page.tsx'), code)
  const { default: Page } = await import(join(FOLDER, 'page/app/page.tsx'))
  return renderToStaticMarkup(await Page())
}

test('the page of the quick start greets a user without a name by address', async () => {
  expect(await renderPage()).toContain('<p>Hello, ada@example.com</p>')
})

/** Imports the configuration as the document shows it, from the source of the library. */
async function importConfiguration(): Promise<Application> {
  const blocks = findBlocks(DOCUMENT, readFileSync(join(ROOT, DOCUMENT), 'utf8'))
  const { code = '' } = blocks.find((block) => block.code.includes('sendVerificationRequest')) ?? {}
  const own = code
    .replace("'lib-auth/next'", JSON.stringify(join(ROOT, 'src/frameworks/next/index.ts')))
    .replace("'lib-auth/adapters/memory'", JSON.stringify(join(ROOT, 'src/adapters/memory.ts')))
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, 'auth.ts')
  writeFileSync(file, own)
  return import(file)
}

test('the configuration of the quick start prints a magic link that signs in', async () => {
  vi.stubEnv('AUTH_SECRET', 'x'.repeat(32))
  vi.stubEnv('AUTH_URL', 'http://localhost:3000')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { handlers } = await importConfiguration()
  const cookies = cookieStore()

  async function send(target: string, form?: Record<string, string>): Promise<Response> {
    const url = new URL(target, 'http://localhost:3000')
    const method = form ? 'POST' : 'GET'
    const cookie = cookies.header({ url, method, initiator: 'same-site' })
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const init = { method, headers, ...(form && { body: new URLSearchParams(form) }) }
    const response = await handlers[method](new Request(url, init))
    for (const each of response.headers.getSetCookie()) cookies.accept(each, url)
    return response
  }

  const { csrfToken } = (await (await send('/api/auth/csrf')).json()) as { csrfToken: string }
  await send('/api/auth/signin/email', { csrfToken, email: 'ada@example.com' })
  const printed = log.mock.calls.map(String).join('\n')
  log.mockRestore()
  const [, link = ''] = /^Magic link for ada@example\.com: (\S+)$/m.exec(printed) ?? []
  await send(link)
  expect(await (await send('/api/auth/session')).json()).toMatchObject({
    user: { email: 'ada@example.com' },
  })
})
