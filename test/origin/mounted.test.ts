import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../services.ts'
import { behindProxySuite, handlerTests, openSignedInVisit, openVisit } from './behind-proxy.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { Spelling } from './spelling.ts'
import { originSuite } from './one-origin.ts'
import { SOME_WAYS } from './ways.ts'

const nginx = await findNginx()

let lab: Lab

function cacheTests(port: () => number, spelling: Spelling): void {
  test('a page that is partly the same for everybody says who is signed in', async () => {
    const { visit, page } = await openSignedInVisit(port(), spelling)
    // The second time, what can be kept is kept.
    for (const _ of [1, 2]) {
      const { text } = await visit.send(page('/cached'))
      expect(text).toContain('the same for everybody')
      expect(text).toContain('<h1>Grace<')
    }
    const { text } = await openVisit(port(), spelling).visit.send(page('/cached'))
    expect(text).toContain('<h1>nobody<')
    expect(text).not.toContain('Grace')
  })
}

function languageTests(port: () => number, spelling: Spelling): void {
  test('a German page leads to the German sign-in page and back', async () => {
    const { visit, page, url, post } = openVisit(port(), spelling)
    const { location } = await visit.send(page('/de/private'))
    expect(location?.href).toBe(
      `${url('/de/login/')}?callbackUrl=${encodeURIComponent(url('/de/private/'))}`,
    )
    const shown = await visit.send(`${location?.pathname}${location?.search}`)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('sign in, <!-- -->de')
    const callbackUrl = location?.searchParams.get('callbackUrl') ?? ''
    const answer = await post('callback/credentials', { password: 'right', callbackUrl })
    expect(answer.headers.get('location')).toBe(url('/de/private/'))
    expect((await visit.send(page('/de/private'))).text).toMatch(/signed in, (?:<!-- -->)?de/)
  })

  test.each(['/de/private', '/DE/private', '/en/private', '/private'])(
    'nobody sees %s',
    async (path) => {
      const { visit, page } = openVisit(port(), spelling)
      expect((await visit.send(page(path))).status).toBe(307)
    },
  )

  test('a page that is left by a link in it leads there, too', async () => {
    const { visit } = openVisit(port(), spelling)
    const data = `${spelling.mount}/_next/data/${lab.buildId}/de/private.json`
    const headers = { 'x-nextjs-data': '1' }
    const old = await visit.send(data, { headers })
    expect(old.headers.get('x-nextjs-redirect')).toMatch(
      /^\/app\/de\/login\/?\?callbackUrl=.*%2Fde%2Fprivate/,
    )
    const { status } = await visit.send(data, {
      headers: { ...headers, 'sec-fetch-dest': 'empty' },
    })
    expect(status).toBe(401)
  })
}

describe.skipIf(!nginx)(
  'an application below a path, with a slash after each path, in several languages',
  () => {
    beforeAll(async () => {
      lab = await buildLab({
        name: 'lab-mounted',
        proxy: 'lazy',
        without: ['app/edge'],
        signIn: '/login',
        config: {
          basePath: '/app',
          trailingSlash: true,
          cacheComponents: true,
          i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
          experimental: { serverActions: { allowedOrigins: ['app.test'] } },
        },
      })
    }, 240_000)

    test('is built', () => {
      expect(lab.built).toContain('Compiled successfully')
      // Its outside is made when the application is built.
      expect(lab.built).toMatch(/◐ \/cached/)
    })

    const spelling: Spelling = { mount: '/app', slash: '/', signIn: '/login' }
    originSuite(() => lab, spelling, SOME_WAYS)
    behindProxySuite(() => lab, spelling, handlerTests, cacheTests, languageTests)
  },
)
