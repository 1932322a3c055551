import { beforeEach, describe, expect, test, vi } from 'vitest'
import { NextRequest, NextResponse, nextSite, ORIGIN, SESSION } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import type { CallbacksOptions } from '../../src/index.ts'
import { login, siteConfig } from './site.ts'

const session = vi.fn<() => void>()
/** User data of the application that is not in the session. */
const titles = new Map<string, string>()

const callbacks = {
  jwt({ token, trigger, session: data }) {
    if (trigger === 'update' && data.title) titles.set('grace', String(data.title))
    return trigger === 'update' && data.name ? { ...token, name: String(data.name) } : token
  },
  session: ({ session: exposed }) => ({ ...exposed, title: titles.get('grace') }),
} satisfies CallbacksOptions

let site: NextSite

beforeEach(async () => {
  titles.clear()
  site = nextSite({ callbacks, events: { session } })
  await site.signInGrace()
  session.mockClear()
})

/** The same with sessions that are extended each time they are read. */
async function rolling(): Promise<NextSite> {
  const always = nextSite({ callbacks, events: { session }, session: { updateAge: 0 } })
  await always.signInGrace()
  session.mockClear()
  return always
}

const grace = { user: { name: 'Grace Hopper' } }

describe('auth()', () => {
  test('returns the session in actions, route handlers and while a page is rendered', async () => {
    expect(await site.render(() => site.auth())).toMatchObject(grace)
    expect(await site.action(() => site.auth())).toMatchObject(grace)
    const handler = async () => Response.json(await site.auth())
    expect(await (await site.route(handler, '/api/me')).json()).toMatchObject(grace)
    site.cookies.delete(SESSION)
    expect(await site.render(() => site.auth())).toBeNull()
  })

  test('reads the session once per request', async () => {
    const often = async () => {
      await Promise.all([site.auth(), site.auth()])
      return site.auth()
    }
    expect(await site.render(often)).toMatchObject(grace)
    expect(session).toHaveBeenCalledTimes(1)
    await site.render(often)
    expect(session).toHaveBeenCalledTimes(2)
  })

  test('returns the session as changed by the same action', async () => {
    const seen = await site.action(async () => {
      const before = await site.auth()
      await site.update({ name: 'Amazing Grace' } as object)
      const updated = await site.auth()
      await site.signOut({ redirect: false })
      const out = await site.auth()
      await site.signIn('credentials', { ...login, redirect: false })
      return [before, updated, out, await site.auth()]
    })
    expect(seen.map((each) => each?.user?.name)).toEqual([
      'Grace Hopper',
      'Amazing Grace',
      undefined,
      'Grace Hopper',
    ])
  })

  test('reads the session again after an update that did not change it', async () => {
    const seen = await site.action(async () => {
      const before = await site.auth()
      await site.update({ title: 'Rear Admiral' } as object)
      return [before, await site.auth()]
    })
    expect(seen[0]).not.toHaveProperty('title', 'Rear Admiral')
    expect(seen[1]).toHaveProperty('title', 'Rear Admiral')
  })

  test('extends the session once where cookies can be set', async () => {
    const always = await rolling()
    const before = always.cookies.get(SESSION)?.value
    await always.action(async () => {
      await always.auth()
      await always.auth()
    })
    expect(session).toHaveBeenCalledTimes(1)
    expect(always.set).toHaveLength(1)
    const after = always.cookies.get(SESSION)?.value
    expect(after).not.toBe(before)
    await always.route(async () => Response.json(await always.auth()), '/api/me')
    expect(always.cookies.get(SESSION)?.value).not.toBe(after)
    expect(await always.render(() => always.auth())).toMatchObject(grace)
  })

  test('returns the session where cookies cannot be set', async () => {
    const always = await rolling()
    expect(await always.render(() => always.auth())).toMatchObject(grace)
    expect(always.set).toEqual([])
  })

  test('does not restore a session that ended during the read', async () => {
    let read = () => {}
    const ended = new Promise<void>((resolve) => (read = resolve))
    const slow = nextSite({
      session: { updateAge: 0 },
      callbacks: { session: (params) => ended.then(() => params.session) },
    })
    await slow.signInGrace()
    await slow.action(async () => {
      const reading = slow.auth()
      await slow.signOut({ redirect: false })
      read()
      expect(await reading).toMatchObject(grace)
    })
    expect(slow.cookies.get(SESSION)).toBeUndefined()
  })

  test('throws when the session cannot be read, and keeps the cookie', async () => {
    const { config } = siteConfig()
    let isDown = false
    const unreliable = nextSite({
      ...config,
      callbacks: {
        jwt({ token }) {
          if (isDown) throw new Error('The database is unavailable.')
          return token
        },
      },
    })
    await unreliable.signInGrace()
    isDown = true
    const down = { type: 'SessionUnavailable' }
    await expect(unreliable.action(() => unreliable.auth())).rejects.toMatchObject(down)
    isDown = false
    expect(await unreliable.render(() => unreliable.auth())).toMatchObject(grace)
  })
})

describe('auth() around a route handler', () => {
  test('passes the session and the context of Next to the handler', async () => {
    const seen: unknown[] = []
    const handler = site.auth(async (request, context) => {
      seen.push(await context.params)
      return NextResponse.json({ name: request.auth?.user?.name, path: request.nextUrl.pathname })
    })
    const response = await site.route(handler, '/api/me')
    expect(await response.json()).toEqual({ name: 'Grace Hopper', path: '/api/me' })
    expect(seen).toEqual([{}])
    site.cookies.delete(SESSION)
    expect(await (await site.route(handler, '/api/me')).json()).toEqual({ path: '/api/me' })
  })

  test('calls the handler for unauthenticated users', async () => {
    const authorized = vi.fn<() => boolean>(() => false)
    const guarded = nextSite({ callbacks: { authorized } })
    const handler = guarded.auth((request) => new Response(request.auth ? 'in' : 'out'))
    expect(await (await guarded.route(handler, '/api/me')).text()).toBe('out')
    expect(authorized).not.toHaveBeenCalled()
  })

  test('extends the session unless the handler ends it', async () => {
    const always = await rolling()
    await always.route(
      always.auth(() => new Response('ok')),
      '/api/me',
    )
    expect(always.set).toHaveLength(1)
    const signOutHandler = always.auth(async () => {
      await always.signOut({ redirect: false })
      return new Response('bye')
    })
    await always.route(signOutHandler, '/api/leave')
    expect(always.cookies.get(SESSION)).toBeUndefined()
  })

  test('responds with 204 when the handler returns nothing', async () => {
    const handler = site.auth(() => undefined)
    expect((await site.route(handler, '/api/me')).status).toBe(204)
  })

  test('leaves the request body to the handler', async () => {
    const handler = site.auth(async (request) => new Response(await request.text()))
    const response = await site.route(handler, '/api/me', { method: 'POST', body: 'hello' })
    expect(await response.text()).toBe('hello')
  })

  test('throws the error of the handler, and an error outside a request', async () => {
    const failing = site.auth(() => Promise.reject(new Error('Not today.')))
    await expect(site.route(failing, '/api/me')).rejects.toThrow('Not today.')
    const handler = site.auth(() => new Response('ok'))
    const context = { params: Promise.resolve({}) }
    const outside = handler(new NextRequest(`${ORIGIN}/api/me`), context)
    await expect(outside).rejects.toThrow(/outside a server component/)
    await expect(site.auth()).rejects.toThrow("server.deps.inline: ['lib-auth']")
  })

  test('does not call the handler when the session cannot be read', async () => {
    const handler = vi.fn<() => Response>(() => new Response('ok'))
    const unreliable = nextSite({
      callbacks: { session: () => Promise.reject(new Error('Down.')) },
    })
    await unreliable.signInGrace()
    const response = await unreliable.route(unreliable.auth(handler), '/api/me')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('the handlers', () => {
  test('respond at /api/auth', async () => {
    const { GET, POST } = site.handlers
    expect(await (await site.route(GET, '/api/auth/session')).json()).toMatchObject(grace)
    const answer = await (await site.route(GET, '/api/auth/csrf')).json()
    const body = new URLSearchParams({ csrfToken: answer.csrfToken })
    const out = await site.route(POST, '/api/auth/signout', { method: 'POST', body })
    expect([out.status, out.headers.get('location')]).toEqual([302, `${ORIGIN}/`])
    const response = await site.route(GET, '/api/auth/session')
    expect(await response.json()).toBeNull()
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each([
    ['HEAD', '/api/auth/signin', 200],
    ['GET', '/api/auth/gone', 404],
    ['DELETE', '/api/auth/session', 405],
  ])('respond to %s %s with %d', async (method, path, status) => {
    const response = await site.route(site.handlers.GET, path, { method })
    expect(response.status).toBe(status)
  })
})
