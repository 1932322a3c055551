import { WebNextRequest, WebNextResponse } from 'next/dist/server/base-http/web.js'
import { isSerializableProps } from 'next/dist/lib/is-serializable-props.js'
import type { GetServerSidePropsContext } from 'next/types.js'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, NextRequest, nextSite, ORIGIN, SESSION, openSite } from './next/next-site.ts'
import type { NextSite, PagesCall } from './next/next-site.ts'
import { siteConfig } from './site.ts'
import type { CallbacksOptions } from '../../src/index.ts'

const session = vi.fn<() => void>()
const grace = { user: { name: 'Grace Hopper' } }
const NOT_SHARED = 'private, no-store'

/** Sessions that are extended each time they are read. */
async function rolling(callbacks: CallbacksOptions = {}): Promise<NextSite> {
  const site = nextSite({ events: { session }, session: { updateAge: 0 }, callbacks })
  await site.signInGrace()
  session.mockClear()
  return site
}

/** What Next passes to `getServerSideProps`. */
function contextOf({ req, res }: PagesCall): GetServerSidePropsContext {
  return { req: Object.assign(req, { cookies: {} }), res, query: {}, resolvedUrl: '/page' }
}

/** The calls of `auth()` in the Pages Router. */
const readers: [string, (site: NextSite, call: PagesCall) => Promise<unknown>][] = [
  ['an API route', (site, { req, res }) => site.auth(req, res)],
  ['getServerSideProps', (site, call) => site.auth(contextOf(call))],
]

let site: NextSite

beforeEach(async () => {
  site = await rolling()
})

describe.each(readers)('%s', (_name, read) => {
  test('returns the session', async () => {
    expect((await site.pages((call) => read(site, call), '/page')).result).toMatchObject(grace)
    site.cookies.delete(SESSION)
    expect((await site.pages((call) => read(site, call), '/page')).result).toBeNull()
  })

  test('extends the session and keeps the cookies of the application', async () => {
    const before = site.cookies.get(SESSION)?.value
    const { res } = await site.pages(async (call) => {
      call.res.setHeader('set-cookie', 'mine=1; Path=/')
      await read(site, call)
    }, '/page')
    const names = site.set.map((each) => each.split('=')[0])
    expect(names).toEqual(['mine', SESSION])
    expect(site.cookies.get(SESSION)?.value).not.toBe(before)
    expect(res.getHeader('cache-control')).toBe(NOT_SHARED)
  })

  test('reads the session once per request', async () => {
    const often = (call: PagesCall) => Promise.all([read(site, call), read(site, call)])
    const { result, res } = await site.pages(async (call) => {
      await often(call)
      return often(call)
    }, '/page')
    expect(result).toMatchObject([grace, grace])
    expect(session).toHaveBeenCalledTimes(1)
    expect(res.getHeader('set-cookie')).toHaveLength(1)
  })

  test('does not send a cookie again that the proxy has set', async () => {
    const proxied = await site.proxy(site.auth, '/page')
    expect(site.set).toHaveLength(1)
    const before = site.cookies.get(SESSION)?.value
    await site.pages((call) => read(site, call), '/page', { behind: proxied })
    expect(site.set).toHaveLength(1)
    expect(site.cookies.get(SESSION)?.value).not.toBe(before)
    expect(await site.render(() => site.auth())).toMatchObject(grace)
  })

  test('is not cacheable if the proxy extended the session', async () => {
    const proxied = await site.proxy(site.auth, '/page')
    expect(proxied.response.headers.get('cdn-cache-control')).toBe('no-store')
    const calm = nextSite()
    const { result, res } = await calm.pages(
      async (call) => {
        const auth = await read(calm, call)
        call.res.setHeader('cache-control', 'public, s-maxage=60')
        return auth
      },
      '/page',
      { behind: proxied },
    )
    expect(result).toMatchObject(grace)
    expect(res.getHeader('set-cookie')).toEqual(proxied.response.headers.getSetCookie())
    expect(res.getHeader('cache-control')).toBe(NOT_SHARED)
  })

  test('does not restore a session that the application ended', async () => {
    const { result } = await site.pages(async (call) => {
      call.res.setHeader('set-cookie', `${SESSION}=; Max-Age=0; Path=/; Secure`)
      return read(site, call)
    }, '/page')
    expect(result).toBeNull()
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })

  test.each<[string, (call: PagesCall, answer: () => Promise<unknown>) => Promise<unknown>]>([
    [
      'before',
      (call, answer) => {
        call.res.setHeader('Cache-Control', 'public, s-maxage=60')
        return answer()
      },
    ],
    [
      'after',
      async (call, answer) => {
        await answer()
        call.res.setHeader('Cache-Control', 'public, s-maxage=60')
      },
    ],
    [
      'at the end',
      async (call, answer) => {
        await answer()
        call.res.writeHead(200, { 'cache-control': 'public, s-maxage=60', 'x-own': 'yes' })
      },
    ],
  ])(
    'that sets Cache-Control %s is not cacheable if it sets a session cookie',
    async (_when, respond) => {
      const visit = async () => {
        const { res } = await site.pages((call) => respond(call, () => read(site, call)), '/page')
        res.end()
        // The header as sent.
        return /^cache-control: .*$/im.exec(String(Reflect.get(res, '_header')))?.[0].toLowerCase()
      }
      expect(await visit()).toBe(`cache-control: ${NOT_SHARED}`)
      site.cookies.delete(SESSION)
      expect(await visit()).toBe('cache-control: public, s-maxage=60')
      expect(site.set).toEqual([])
    },
  )

  test('returns the session after the headers were sent', async () => {
    const { result, res } = await site.pages((call) => {
      call.res.writeHead(200)
      return read(site, call)
    }, '/page')
    expect(result).toMatchObject(grace)
    expect(res.getHeader('set-cookie')).toBeUndefined()
  })

  test('supports a configuration function, which is called once per request', async () => {
    const { config } = siteConfig()
    const seen: NextRequest[] = []
    const own = openSite(
      Lib((request) => {
        if (request) seen.push(request)
        return { ...config, basePath: undefined }
      }),
    )
    await own.signInGrace()
    seen.length = 0
    const headers = { 'x-tenant': 'navy' }
    await own.pages(
      async (call) => {
        await read(own, call)
        expect(await read(own, call)).toMatchObject(grace)
      },
      '/page?tab=2',
      { headers },
    )
    expect(seen.map(({ nextUrl }) => nextUrl.pathname)).toEqual(['/page'])
    expect(seen[0]?.nextUrl.origin).toBe(ORIGIN)
    expect(seen[0]?.headers.get('x-tenant')).toBe('navy')
    expect(seen[0]?.cookies.has(SESSION)).toBe(true)
  })

  test('throws when the session cannot be read, and keeps the cookie', async () => {
    let isDown = false
    const jwt: CallbacksOptions['jwt'] = ({ token }) => {
      if (isDown) throw new Error('The database is unavailable.')
      return token
    }
    const unreliable = await rolling({ jwt })
    isDown = true
    const work = unreliable.pages((call) => read(unreliable, call), '/page')
    await expect(work).rejects.toMatchObject({ type: 'SessionUnavailable' })
    isDown = false
    expect(await unreliable.render(() => unreliable.auth())).toMatchObject(grace)
  })
})

describe('auth(request) of an API route, without its response', () => {
  const reading = (call: PagesCall): Promise<unknown> =>
    Reflect.apply(site.auth, undefined, [call.req]) as Promise<unknown>

  test('reads the session and sets no cookie', async () => {
    const { result, res } = await site.pages(reading, '/api/me')
    expect(result).toMatchObject(grace)
    expect(res.getHeader('set-cookie')).toBeUndefined()
  })

  test('leaves the extension to a later call, and reads the session once', async () => {
    await site.pages(async (call) => {
      await reading(call)
      await site.auth(call.req, call.res)
    }, '/api/me')
    expect(site.set).toHaveLength(1)
    expect(session).toHaveBeenCalledTimes(1)
  })
})

test('getServerSideProps on the edge returns the session and sets cookies on the given response', async () => {
  const headers = { host: 'app.test', 'x-forwarded-proto': 'https' }
  const cookie = `${SESSION}=${site.cookies.get(SESSION)?.value ?? ''}`
  const request = new NextRequest(`${ORIGIN}/page`, { headers: { ...headers, cookie } })
  const res = new WebNextResponse()
  const cookies = () => (Reflect.get(res, 'headers') as Headers).getSetCookie()
  const mine = 'mine=1; Expires=Wed, 01 Jan 2048 00:00:00 GMT'
  res.setHeader('set-cookie', [`${SESSION}=old; Path=/`, mine])
  const context = { req: new WebNextRequest(request as never), res }
  const result: unknown = await Reflect.apply(site.auth, undefined, [context])
  // The cookie on the response is what the browser will have.
  expect(result).toBeNull()
  res.setHeader('set-cookie', [mine])
  const again = { req: new WebNextRequest(request as never), res }
  expect(await Reflect.apply(site.auth, undefined, [again])).toMatchObject(grace)
  expect(cookies().map((each) => each.split('=')[0])).toEqual(['mine', SESSION])
  expect(res.getHeader('cache-control')).toBe(NOT_SHARED)
})

test('the session in getServerSideProps is serializable as props', async () => {
  const until = new Date(0)
  const callbacks: CallbacksOptions = {
    session: ({ session: { user, expires } }) => ({ user, expires, until, role: undefined }),
  }
  const here = await rolling(callbacks)
  const { result } = await here.pages((call) => here.auth(contextOf(call)), '/page')
  expect(isSerializableProps('/page', 'getServerSideProps', { session: result })).toBe(true)
  expect(result).toEqual({ ...grace, expires: expect.any(String), until: until.toISOString() })
})
