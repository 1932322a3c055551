import { describe, expect, test } from 'vitest'
import { NextRequest, NextResponse, nextSite, ORIGIN } from './next-site.ts'

const site = nextSite()

describe('auth() with arguments', () => {
  test.each([undefined, null, 'github', {}, new Request(ORIGIN)])(
    'that it does not understand (%o) says so, and reads no session in silence',
    (given) => {
      expect(() => Reflect.apply(site.auth, undefined, [given])).toThrow(
        /^auth\(\) was called with something .* Call it without arguments to read the session/,
      )
    },
  )

  /** The same for code that has other classes of these names, as bundles and test environments do. */
  const foreign = <T extends object>(value: T): T =>
    new Proxy(value, {
      getPrototypeOf: () => Object.prototype,
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })

  test('understands requests and responses of another realm', async () => {
    const authorized = () => foreign(NextResponse.json('Not you.', { status: 403 }))
    const closed = nextSite({ callbacks: { authorized } })
    const request = foreign(new NextRequest(`${ORIGIN}/page`))
    expect(request).not.toBeInstanceOf(Request)
    const response: unknown = await Reflect.apply(closed.auth, undefined, [request, {}])
    expect(response).toHaveProperty('status', 403)
  })
})
