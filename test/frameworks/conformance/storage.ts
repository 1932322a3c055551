/** Chunked sessions, sessions in a database, and outages of the database. */
import { expect, test } from 'vitest'
import memory from '../../../src/adapters/memory.ts'
import type { User } from '../../../src/index.ts'
import type { RawClient } from '../raw-client.ts'
import { consent, follow, isSession, nameOf, signIn } from './site.ts'
import type { Open } from './site.ts'

async function signInAtProvider(user: RawClient): Promise<void> {
  const { url } = await consent(user)
  expect((await follow(user, url)).setCookies.filter(isSession)).toHaveLength(1)
}

/** Session cookies of the browser. */
const sessionCookies = ({ cookies }: RawClient) =>
  cookies.all().filter(({ name }) => name.includes('session-token'))

export function storageRows(open: Open): void {
  test('writes, reads and clears a chunked session cookie', async () => {
    const claim = 'x'.repeat(6000)
    const jwt = ({ token }: { token: object }) => ({ ...token, claim })
    const session = ({ session: read, token }: { session: object; token: object }) => ({
      ...read,
      claim: Reflect.get(token, 'claim'),
    })
    const large = await open({ overrides: { callbacks: { jwt, session } as never } })
    const user = large.user()
    await signIn(user)
    expect(sessionCookies(user).map(({ name }) => name.slice(-1))).toEqual(['0', '1', '2'])
    expect(JSON.parse((await user.send(open.data)).body).claim).toBe(claim)
    await user.send(`${open.basePath}/signout`, { form: { csrfToken: await user.csrfToken() } })
    expect(sessionCookies(user)).toEqual([])
    expect((await user.send('/me')).body).toBe('null')
  })

  test('extends a session in a database when it is due, on data and on pages', async () => {
    const due = await open({ overrides: { adapter: memory(), session: { updateAge: 0 } } })
    const user = due.user()
    await signInAtProvider(user)
    for (const path of ['/me', '/page']) {
      const answer = await user.send(path)
      expect([path, answer.setCookies.filter(isSession).length]).toEqual([path, 1])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
    const later = await open({ overrides: { adapter: memory() } })
    const other = later.user()
    await signInAtProvider(other)
    for (const path of ['/me', '/page']) expect((await other.send(path)).setCookies).toEqual([])
  })

  test('signs a new user in whose address a handler marks as verified', async () => {
    const { transaction: _transaction, ...adapter } = memory()
    const verify = async ({ user: { id = '' } }: { user: User }) =>
      void (await adapter.updateUser({ id, emailVerified: new Date() }))
    const events = { createUser: verify, linkAccount: verify }
    for (const strategy of ['database', 'jwt'] as const) {
      const site = await open({ overrides: { adapter, events, session: { strategy } } })
      const user = site.user()
      await signInAtProvider(user)
      expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
      expect(site.log.errors).toEqual([])
    }
  })

  test('keeps the characters of a session token', async () => {
    const token = `a%41b=c d"e;f,ü/${'x'.repeat(20)}`
    const generateSessionToken = () => token
    const site = await open({
      overrides: { adapter: memory(), session: { generateSessionToken, updateAge: 0 } },
    })
    const user = site.user()
    await signInAtProvider(user)
    for (let reads = 0; reads < 2; reads += 1)
      expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })

  test('answers with an error during an outage of the database, and keeps the cookie', async () => {
    const stored = memory()
    let isDown = false
    const adapter: typeof stored = {
      ...stored,
      getSessionAndUser: async (token) => {
        if (isDown) throw new Error('connection refused at 10.0.0.7')
        return stored.getSessionAndUser(token)
      },
    }
    const site = await open({ overrides: { adapter } })
    const user = site.user()
    await signInAtProvider(user)
    isDown = true
    const session = await user.send(`${open.basePath}/session`)
    expect([session.status, session.setCookies]).toEqual([503, []])
    const guarded = open.isRecipe ? [] : ['/guarded', '/guarded/data']
    for (const path of ['/me', '/page', ...guarded]) {
      const answer = await user.send(path)
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect(answer.setCookies).toEqual([])
      expect(answer.body).not.toMatch(/connection refused|secret for|^\{"data"|^null$/)
    }
    isDown = false
    expect(nameOf(await user.send('/me'))).toBe('Ada Lovelace')
  })
}
