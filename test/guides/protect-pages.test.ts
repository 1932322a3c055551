/** docs/guides/protect-pages.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { encode } from '../../src/jwt.ts'
import { nextSite, SESSION } from '../frameworks/next/next-site.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { SECRET } from '../config.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

const guide = openGuide('protect-pages')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

async function siteAs(role: 'admin' | 'member' | null) {
  const site = nextSite()
  const token = { sub: '1', name: 'Ada', role }
  if (role) site.cookies.set(SESSION, await encode({ token, secret: SECRET, salt: SESSION }))
  return site
}

test.each([
  [null, '/account', 307],
  [null, '/admin', 307],
  ['member', '/account', 200],
  ['member', '/admin', 403],
  ['admin', '/admin', 200],
] as const)('the proxy answers %s at %s with %i', async (role, path, status) => {
  const { auth } = await guide.load<LibResult>('auth.ts')
  const { response } = await (await siteAs(role)).proxy(auth, path)
  expect(response.status).toBe(status)
})

test.each([
  [null, '/signin', 200],
  [null, '/account', 307],
  [null, '/register', 200],
  ['member', '/signin', 307],
  ['member', '/register', 307],
  ['member', '/signin?error=OAuthAccountNotLinked', 200],
  ['member', '/account', 200],
] as const)(
  'with a page for visitors, the proxy answers %s at %s with %i',
  async (role, path, status) => {
    const { default: proxy } = await guide.load<{ default: LibResult['auth'] }>(
      'own-pages/proxy.ts',
    )
    const { response } = await (await siteAs(role)).proxy(proxy, path)
    expect(response.status).toBe(status)
  },
)

test.each([
  [null, 401],
  ['member', 403],
  ['admin', 200],
] as const)('the route handler answers %s with %i', async (role, status) => {
  const { GET } = await guide.load<{ GET: never }>('app/api/users/route.ts')
  const response = await (await siteAs(role)).route(GET, '/api/users')
  expect(response.status).toBe(status)
})

test('the page redirects a visitor to the sign-in page, and answers 403 to a member', async () => {
  vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
  const { default: Admin } = await guide.load<{ default: () => Promise<unknown> }>(
    'app/admin/page.tsx',
  )
  const render = async (role: 'admin' | 'member' | null) =>
    (await siteAs(role)).render(Admin).catch(({ digest }) => digest)
  expect(await render(null)).toMatch(/^NEXT_REDIRECT;.*signin\?callbackUrl=/)
  expect(await render('member')).toBe('NEXT_HTTP_ERROR_FALLBACK;403')
  expect(await render('admin')).toMatchObject({ type: 'h1' })
})

test('the server action rejects a member', async () => {
  const { deletePost } = await guide.load<{ deletePost: (id: string) => Promise<void> }>(
    'app/admin/actions.ts',
  )
  const member = await siteAs('member')
  await expect(member.action(() => deletePost('1'))).rejects.toThrow('Administrators only.')
})

test.each([
  [null, 401],
  ['member', 403],
  ['admin', undefined],
] as const)('the core answers %s with %j', async (role, status) => {
  const { refuse } = await guide.load<{ refuse: (...args: unknown[]) => Promise<Response | null> }>(
    'server.ts',
  )
  const config: AuthConfig = {
    providers: [],
    secret: SECRET,
    trustHost: true,
    callbacks: {
      session: ({ session, token }) => ({ ...session, user: token }),
    },
  }
  const cookie = role
    ? `${SESSION}=${await encode({ token: { sub: '1', role }, secret: SECRET, salt: SESSION })}`
    : ''
  const request = new Request('https://app.test/', { headers: { cookie } })
  expect(await getSession(request, config)).toBeDefined()
  expect((await refuse(request, config, 'admin'))?.status).toBe(status)
})

test('a program is recognized by its key', async () => {
  const { createKey, ownerOf } = await guide.load<{
    createKey: (owner: string) => string
    ownerOf: (request: Request) => string | null
  }>('api-key.ts')
  const key = createKey('report')
  const owner = (authorization?: string) =>
    ownerOf(new Request('https://app.test', authorization ? { headers: { authorization } } : {}))
  expect([`Bearer ${key}`, 'Bearer key_x', key, undefined].map(owner)).toEqual([
    'report',
    null,
    null,
    null,
  ])
})
