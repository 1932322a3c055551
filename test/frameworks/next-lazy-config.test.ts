/** The request that a lazy configuration receives contains only a trusted host. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Lib, NextRequest, openSite } from './next/next-site.ts'
import { PLACES, visitPlace } from './next/next-contexts.ts'
import { siteConfig } from './site.ts'

beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production')
  for (const name of ['AUTH_URL', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']) vi.stubEnv(name, '')
})

afterEach(() => vi.unstubAllEnvs())

/** Records everything that names a host in the requests of the configuration function. */
function watchedSite() {
  const seen: Record<string, unknown>[] = []
  const { config } = siteConfig()
  const lib = Lib((request) => {
    const { url, nextUrl, headers, method } = request ?? new NextRequest('http://nothing.test')
    seen.push({
      url: new URL(url).origin,
      nextUrl: nextUrl.origin,
      clone: nextUrl.clone().host,
      host: headers.get('host'),
      forwarded: headers.get('x-forwarded-host'),
      standard: headers.get('forwarded'),
      method,
    })
    return { ...config, basePath: undefined, callbacks: { authorized: () => true } }
  })
  return { site: openSite(lib), seen }
}

const requestOn = (origin: string, forwarded: string | null = null) => {
  const { host } = new URL(origin)
  return { url: origin, nextUrl: origin, clone: host, host, forwarded, standard: null }
}

const EVIL = { 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
const BEHIND = { host: '10.0.0.5:3000', 'x-forwarded-host': 'shop.test' }

describe.each(PLACES)('a lazy configuration in %s', (place) => {
  test('does not receive a forwarded host if the environment does not trust it', async () => {
    const { site, seen } = watchedSite()
    await visitPlace(site, place, { headers: EVIL })
    expect(seen).toMatchObject([requestOn('https://app.test')])
  })

  test('does not receive a forwarded host next to a public one', async () => {
    vi.stubEnv('AUTH_TRUST_HOST', 'true')
    const { site, seen } = watchedSite()
    await visitPlace(site, place, { headers: EVIL })
    expect(seen).toMatchObject([requestOn('https://app.test')])
  })

  test('receives the origin of AUTH_URL, whatever the headers contain', async () => {
    vi.stubEnv('AUTH_URL', 'https://public.test:8443')
    const { site, seen } = watchedSite()
    await visitPlace(site, place, { headers: { ...EVIL, host: 'evil.test' } })
    expect(seen).toMatchObject([requestOn('https://public.test:8443')])
  })
})

test('a lazy configuration receives the host that a trusted proxy forwards', async () => {
  vi.stubEnv('AUTH_TRUST_HOST', 'true')
  const { site, seen } = watchedSite()
  await visitPlace(site, 'a server component', { headers: BEHIND })
  expect(seen).toMatchObject([requestOn('https://shop.test', 'shop.test')])
})

test('a lazy configuration does not receive the host that an untrusted proxy forwards', async () => {
  const { site, seen } = watchedSite()
  await visitPlace(site, 'a server component', { headers: BEHIND })
  expect(seen).toMatchObject([requestOn('https://10.0.0.5:3000')])
})

test('a lazy configuration does not receive a forwarded host in a clone of the request', async () => {
  const { config } = siteConfig()
  const seen: unknown[] = []
  const lib = Lib(async (request) => {
    const clone = request?.clone().clone()
    seen.push(clone?.url, clone?.headers.get('x-forwarded-host'), await clone?.text())
    return { ...config, basePath: undefined }
  })
  const site = openSite(lib)
  const visit = { method: 'POST', headers: EVIL, body: 'text' }
  const handler = site.auth(async (request) => new Response(await request.text()))
  const response = await site.route(handler, '/api/me', visit)
  expect(await response.text()).toBe('text')
  expect(seen).toEqual(['https://app.test/api/me', null, 'text'])
})

test('a lazy configuration does not receive a forwarded host in a copy of the request', async () => {
  const { config } = siteConfig()
  const seen: unknown[] = []
  const lib = Lib((request) => {
    try {
      if (request) seen.push(...[...new Request(request).headers].flat())
    } catch (error) {
      // Newer releases of Node accept no view of a request.
      seen.push(error)
    }
    return { ...config, basePath: undefined }
  })
  const site = openSite(lib)
  await site.route(
    site.auth(async () => new Response('')),
    '/api/me',
    { headers: EVIL },
  )
  expect(seen).not.toEqual([])
  expect(seen.join(' ')).not.toContain('evil')
})

test('a lazy configuration receives the method, the cookies and the body of the request', async () => {
  const { config } = siteConfig()
  const seen: unknown[] = []
  const lib = Lib((request) => {
    seen.push(request?.method, request?.cookies.get('a')?.value, request?.body !== null)
    return { ...config, basePath: undefined }
  })
  const site = openSite(lib)
  const headers = { ...EVIL, cookie: 'a=1' }
  const visit = { method: 'POST', headers, body: 'text' }
  const response = await site.route(
    site.auth(async (request) => new Response(await request.text())),
    '/api/me',
    visit,
  )
  expect(await response.text()).toBe('text')
  expect(seen).toEqual(['POST', '1', true])
})
