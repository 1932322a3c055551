/** docs/guides/custom-sign-in-page.md */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { nextSite, thrownRedirect } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('custom-sign-in-page')

interface Actions {
  signInAtGitHub: (form: FormData) => Promise<void>
  signInWithPassword: (form: FormData) => Promise<void>
}

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

async function render(searchParams: object): Promise<string> {
  const { default: Page } = await guide.load<{ default: (props: object) => Promise<ReactNode> }>(
    'app/signin/page.tsx',
  )
  return renderToStaticMarkup(await Page({ searchParams: Promise.resolve(searchParams) }))
}

test('the page shows why the sign-in failed, and keeps the return URL', async () => {
  const html = await render({ error: 'CredentialsSignin', callbackUrl: '/account' })
  expect(html).toContain('<p role="alert">The e-mail address or password is wrong.</p>')
  expect(html.match(/name="redirectTo" value="\/account"/g)).toHaveLength(2)
  expect(await render({})).not.toContain('role="alert"')
  expect(await render({ error: 'toString' })).not.toContain('native code')
})

test('the action redirects to the provider', async () => {
  const { signInAtGitHub } = await guide.load<Actions>('app/signin/actions.ts')
  const work = nextSite().action(() => signInAtGitHub(formOf({ redirectTo: '/account' })))
  expect(await thrownRedirect(work)).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
})

test.each([
  ['wrong', '/signin?error=CredentialsSignin&code=credentials&callbackUrl=%2Faccount'],
  ['example', 'https://app.test/account'],
])('with the password %j the action redirects to %s', async (password, location) => {
  const { signInWithPassword } = await guide.load<Actions>('app/signin/actions.ts')
  const form = formOf({ email: 'ada@example.com', password, redirectTo: '/account' })
  expect(await thrownRedirect(nextSite().action(() => signInWithPassword(form)))).toBe(location)
})

test.each([
  ['a checked', { remember: 'true' }, true],
  ['an empty', {}, false],
])('with %s box, the action keeps the user signed in: %j, %s', async (_what, box, isPersistent) => {
  const { Remember } = await openGuide('remember-me').load<{ Remember: () => ReactNode }>(
    'app/signin/remember.tsx',
  )
  const html = renderToStaticMarkup(Remember())
  for (const name of ['remember', 'rememberShown'])
    expect(html).toContain(`name="${name}" value="true"`)
  const { signInWithPassword } = await guide.load<Actions>('app/signin/actions.ts')
  const site = nextSite()
  const typed = { email: 'ada@example.com', password: 'example', rememberShown: 'true' }
  await thrownRedirect(site.action(() => signInWithPassword(formOf({ ...typed, ...box }))))
  const cookie = site.set.find((each) => each.includes('session-token='))
  expect(cookie).toBeDefined()
  expect(/; (?:expires|max-age)=/i.test(cookie ?? '')).toBe(isPersistent)
})

test('after too many attempts the action redirects to the page with that error', async () => {
  const { signInWithPassword } = await guide.load<Actions>('app/signin/actions.ts')
  const form = formOf({ email: 'eve@example.com', password: 'wrong', redirectTo: '/account' })
  const site = nextSite()
  const attempt = () => thrownRedirect(site.action(() => signInWithPassword(form)))
  const errors = []
  let query = new URLSearchParams()
  for (let count = 0; count < 11; count++) {
    query = new URL(await attempt(), 'https://app.test').searchParams
    errors.push(query.get('error'))
  }
  expect(errors).toEqual([
    ...Array.from({ length: 10 }, () => 'CredentialsSignin'),
    'TooManyAttempts',
  ])
  expect(query.get('retryAfter')).toBe('90')
  expect(await render(Object.fromEntries(query))).toContain(
    'Too many attempts. Use another method, or try again later. The next attempt is possible in 2 min.',
  )
  expect(await render({ error: 'TooManyAttempts', retryAfter: '0' })).toContain('later.</p>')
})

test('the action does not redirect to another site', async () => {
  const { signInWithPassword } = await guide.load<Actions>('app/signin/actions.ts')
  const redirectTo = 'https://attacker.example/'
  const form = formOf({ email: 'ada@example.com', password: 'example', redirectTo })
  const location = await thrownRedirect(nextSite().action(() => signInWithPassword(form)))
  expect(new URL(location).origin).toBe('https://app.test')
})
