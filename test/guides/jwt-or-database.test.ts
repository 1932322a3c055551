/** docs/guides/jwt-or-database.md */
import { expect, test } from 'vitest'
import MemoryAdapter from '../../src/adapters/memory.ts'
import { Auth, getSession } from '../../src/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { browser, issuer } from '../../src/testing/index.ts'
import { configFor, SECRET } from '../config.ts'
import { cookieValue, SESSION } from '../sessions.ts'
import { getToken } from '../../src/jwt.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('jwt-or-database')
const op = await issuer()

function requestWith(value: string): Request {
  const headers = { cookie: `${SESSION}=${value}`, host: 'app.test', 'x-forwarded-proto': 'https' }
  return new Request('https://app.test/auth/session', { headers })
}

test('with the configuration of the page, users are stored and sessions are not', async () => {
  const { config } = await guide.load<{
    config: Pick<AuthConfig, 'session'> & { adapter: ReturnType<typeof MemoryAdapter> }
  }>('config.ts')
  const tab = browser(configFor(op, config).config, { issuer: op })
  await tab.signIn('op')
  expect(cookieValue(tab)).toMatch(/^eyJ/)
  const user = await config.adapter.getUserByEmail('ada@example.com')
  expect(user).toMatchObject({ name: 'Ada Lovelace' })
  expect(await config.adapter.listSessions(user?.id ?? '')).toEqual([])
})

test.each([
  ['jwt', 'database'],
  ['database', 'jwt'],
] as const)(
  'a switch from %s to %s signs the user out once, and keeps the user',
  async (before, after) => {
    const adapter = MemoryAdapter()
    const siteWith = (strategy: 'jwt' | 'database') => {
      const callbacks: AuthConfig['callbacks'] = {
        session: ({ session, token, user }) => ({
          expires: session.expires,
          user: { id: token?.sub ?? user.id },
        }),
      }
      return configFor(op, { adapter, session: { strategy }, callbacks }).config
    }
    const first = browser(siteWith(before), { issuer: op })
    await first.signIn('op', { sub: before })
    const id = (await first.session())?.user?.id
    const old = cookieValue(first)
    expect((await getSession(requestWith(old), siteWith(after))).session).toBeNull()
    const response = await Auth(requestWith(old), siteWith(after))
    // Why the page recommends to replace all processes at once.
    expect(response.headers.getSetCookie().join()).toContain(`${SESSION}=;`)
    const second = browser(siteWith(after), { issuer: op })
    await second.signIn('op', { sub: before })
    expect((await second.session())?.user?.id).toBe(id)
    const token = await getToken({ req: requestWith(cookieValue(second)), secret: SECRET })
    expect(token === null).toBe(after === 'database')
  },
)
