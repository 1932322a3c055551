import { describe, expect, test } from 'vitest'
import { NextRequest, NextResponse, nextSite, ORIGIN } from './next/next-site.ts'

const site = nextSite()

/** A call without type checking. */
const call = (...given: unknown[]): unknown => Reflect.apply(site.auth, undefined, given)

describe('auth() with arguments', () => {
  test.each([undefined, null, 'github', {}, new Request(ORIGIN), { req: undefined }])(
    'throws for an unsupported argument (%o) instead of reading the session',
    (given) => {
      expect(() => call(given)).toThrow(
        /^auth\(\) was called with an argument .* Call auth\(\) without arguments to read the session/,
      )
    },
  )

  /** An object of another realm, as in bundles and test environments. */
  const foreign = <T extends object>(value: T): T =>
    new Proxy(value, {
      getPrototypeOf: () => Object.prototype,
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })

  test('accepts requests and responses of another realm', async () => {
    const authorized = () => foreign(NextResponse.json('Not you.', { status: 403 }))
    const closed = nextSite({ callbacks: { authorized } })
    const request = foreign(new NextRequest(`${ORIGIN}/page`))
    expect(request).not.toBeInstanceOf(Request)
    const response: unknown = await Reflect.apply(closed.auth, undefined, [request, {}])
    expect(response).toHaveProperty('status', 403)
  })
})

describe('auth in different contexts', () => {
  const request = new NextRequest(`${ORIGIN}/api/me`)

  test.each<[string, unknown, RegExp]>([
    [
      'as a route handler',
      { params: undefined },
      /^auth was exported as a route handler.*Wrap your handler: auth\(\(request\) => …\).*handlers\.GET/,
    ],
    [
      'as an API route on the edge',
      { sourcePage: '/api/[id]' },
      /API route on the edge. Wrap your handler: auth\(\(request\) => …\)/,
    ],
    [
      'in an API route on the edge, without an event',
      undefined,
      /^auth\(request\) was called without the event/,
    ],
  ])('%s throws an error with the fix', async (_where, context, message) => {
    await expect(call(request, context)).rejects.toThrow(message)
  })

  test('calls authorized in the proxy, whatever the second argument of the handler is', async () => {
    const { auth } = nextSite({ callbacks: { authorized: () => false } })
    const inProxy = Object.assign(new NextRequest(`${ORIGIN}/page`), { sourcePage: '/proxy' })
    const handler = auth(() => NextResponse.next())
    const response = await handler(inProxy, { params: Promise.resolve({}) })
    expect(response.status).toBe(307)
  })

  test.each(['/proxy', '/src/middleware'])('in %s needs no event', async (sourcePage) => {
    const inProxy = Object.assign(new NextRequest(`${ORIGIN}/page`), { sourcePage })
    expect(await call(inProxy, undefined)).toBeInstanceOf(Response)
  })

  test('around a handler in the Pages Router throws an error with the fix', async () => {
    const handler = site.auth(() => new Response('in'))
    const work = site.pages(
      async ({ req, res }) => Reflect.apply(handler, undefined, [req, res]),
      '/',
    )
    await expect(work).rejects.toThrow(/In an API route, call auth\(request, response\)/)
  })

  test('around a handler that a test calls with a plain Request throws an error with the fix', async () => {
    const handler = site.auth(() => new Response('in'))
    const work: unknown = Reflect.apply(handler, undefined, [new Request(ORIGIN), {}])
    await expect(work).rejects.toThrow(/not a NextRequest\. In a test, pass new NextRequest\(url\)/)
  })

  test('as a proxy that is called with a plain Request throws an error with the fix', () => {
    expect(() => call(new Request(ORIGIN), {})).toThrow(
      /neither a function nor a request of Next\.js \(got object\)\..*in the proxy, auth\(request, event\)/,
    )
  })

  test('the built-in routes in the Pages Router throw an error with the path of the route file', async () => {
    const { GET } = site.handlers
    const work = site.pages(
      ({ req }) => Reflect.apply(GET, undefined, [req]) as Promise<unknown>,
      '/',
    )
    await expect(work).rejects.toThrow(/app\/api\/auth\/\[\.\.\.auth\]\/route\.ts/)
  })
})

describe('outside a request', () => {
  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'auth',
      () => site.auth(),
      /In the Pages Router, call auth\(request, response\) in an API route/,
    ],
    ['signIn', () => site.signIn('op'), /call signIn\(\) of lib-auth\/react/],
    ['signOut', () => site.signOut(), /call signOut\(\) of lib-auth\/react/],
    ['update', () => site.update({}), /call update\(\) of useSession\(\)/],
    ['unstable_update', () => site.unstable_update({}), /call update\(\) of useSession\(\)/],
  ])('%s throws an error with the supported places', async (_name, work, message) => {
    const refused = expect(work()).rejects
    await refused.toMatchObject({ type: 'InvalidConfiguration' })
    await refused.toThrow(message)
    await refused.toHaveProperty('cause.err.message', expect.stringContaining('request scope'))
  })

  test('passes on other errors of Next', async () => {
    const work = site.render(() => site.auth(), { dynamic: 'error' })
    await expect(work).rejects.toMatchObject({ code: 'NEXT_STATIC_GEN_BAILOUT' })
  })
})
