import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../services.ts'
import { behindProxySuite, handlerTests, openVisit } from './behind-proxy.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { Spelling } from './spelling.ts'
import { originSuite } from './one-origin.ts'
import { SOME_WAYS } from './ways.ts'

const nginx = await findNginx()

let lab: Lab

function languageTests(port: () => number, spelling: Spelling): void {
  test('a German page leads to the German sign-in page and back', async () => {
    const { visit, url, post } = openVisit(port(), spelling)
    const { location } = await visit.send('/de/private')
    expect(location?.href).toBe(
      `${url('/de/login')}?callbackUrl=${encodeURIComponent(url('/de/private'))}`,
    )
    const page = await visit.send(`${location?.pathname}${location?.search}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('sign in, <!-- -->de')
    const callbackUrl = location?.searchParams.get('callbackUrl') ?? ''
    const answer = await post('callback/credentials', { password: 'right', callbackUrl })
    expect(answer.headers.get('location')).toBe(url('/de/private'))
    expect((await visit.send('/de/private')).text).toMatch(/signed in, (?:<!-- -->)?de/)
  })

  test.each(['/de/private', '/DE/private', '/en/private', '/private'])(
    'nobody sees %s',
    async (path) => {
      const { visit } = openVisit(port(), spelling)
      expect((await visit.send(path)).status).toBe(307)
    },
  )

  test('a page that is left by a link in it leads there, too', async () => {
    const { visit } = openVisit(port(), spelling)
    const data = `/_next/data/${lab.buildId}/de/private.json`
    const headers = { 'x-nextjs-data': '1' }
    const old = await visit.send(data, { headers })
    expect(old.headers.get('x-nextjs-redirect')).toMatch(
      /^\/de\/login\?callbackUrl=.*%2Fde%2Fprivate$/,
    )
    const { status } = await visit.send(data, {
      headers: { ...headers, 'sec-fetch-dest': 'empty' },
    })
    expect(status).toBe(401)
  })
}

describe.skipIf(!nginx)('an application in several languages', () => {
  beforeAll(async () => {
    lab = await buildLab({
      name: 'lab-languages',
      proxy: 'lazy',
      without: ['app/cached', 'app/edge'],
      signIn: '/login',
      config: {
        i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
        experimental: { serverActions: { allowedOrigins: ['app.test'] } },
      },
    })
  }, 240_000)

  test('is built', () => {
    expect(lab.built).toContain('Compiled successfully')
  })

  const spelling: Spelling = { mount: '', slash: '', signIn: '/login' }
  originSuite(() => lab, spelling, SOME_WAYS)
  behindProxySuite(() => lab, spelling, handlerTests, languageTests)
})
