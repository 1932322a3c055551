import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, nextSite, SESSION, openSite } from './next/next-site.ts'
import type { NextSite } from './next/next-site.ts'
import { siteConfig } from './site.ts'
import type { CallbacksOptions } from '../../src/index.ts'

const NOT_SHARED = 'private, no-store'

/** Sessions that are extended each time they are read. */
async function rolling(callbacks: CallbacksOptions = {}): Promise<NextSite> {
  const site = nextSite({ session: { updateAge: 0 }, callbacks })
  await site.signInGrace()
  return site
}

let site: NextSite

beforeEach(async () => {
  site = await rolling()
})

describe('an API route on the edge', () => {
  test('receives the session and extends it', async () => {
    const handler = site.auth((request) => Response.json(request.auth?.user?.name ?? null))
    const before = site.cookies.get(SESSION)?.value
    const response = await site.edge(handler as never, '/api/edge')
    expect(await response.json()).toBe('Grace Hopper')
    expect(response.headers.get('cache-control')).toBe(NOT_SHARED)
    expect(site.cookies.get(SESSION)?.value).not.toBe(before)
    site.cookies.delete(SESSION)
    const unauthenticated = await site.edge(handler as never, '/api/edge')
    expect(await unauthenticated.json()).toBeNull()
    expect(unauthenticated.headers.get('cache-control')).toBeNull()
  })

  test('calls the handler for unauthenticated users, and responds with 204 when it returns nothing', async () => {
    const authorized = vi.fn<() => boolean>(() => false)
    const guarded = nextSite({ callbacks: { authorized } })
    const handler = guarded.auth(() => undefined)
    const response = await guarded.edge(handler as never, '/api/edge')
    expect(response.status).toBe(204)
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
    expect(authorized).not.toHaveBeenCalled()
  })

  test('can end the session', async () => {
    const signOutHandler = site.auth(
      () =>
        new Response('bye', {
          headers: { 'set-cookie': `${SESSION}=; Max-Age=0; Path=/; Secure` },
        }),
    )
    await site.edge(signOutHandler as never, '/api/edge')
    expect(site.set).toHaveLength(1)
    expect(site.cookies.get(SESSION)).toBeUndefined()
  })

  test('is not called when the session cannot be read', async () => {
    const unreliable = await rolling({ session: () => Promise.reject(new Error('Down.')) })
    const handler = vi.fn<() => Response>(() => new Response('ok'))
    const response = await unreliable.edge(unreliable.auth(handler) as never, '/api/edge')
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, NOT_SHARED])
    expect(handler).not.toHaveBeenCalled()
  })

  test('supports a configuration function', async () => {
    const { config } = siteConfig()
    const paths: (string | undefined)[] = []
    const own = openSite(
      Lib((request) => {
        paths.push(request?.nextUrl.pathname)
        return { ...config, basePath: undefined }
      }),
    )
    await own.edge(own.auth(() => undefined) as never, '/api/edge')
    expect(paths).toEqual(['/api/edge'])
  })
})
