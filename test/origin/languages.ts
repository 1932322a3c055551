/** Pages in several languages, which only the Pages Router has. */
import { expect, test } from 'vitest'
import { openVisit } from './behind-proxy.ts'
import type { Lab } from './lab.ts'
import type { Spelling } from './spelling.ts'

/** What is to be added to the configuration of Next. */
export const LANGUAGES = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } }

/** Tests of an application in English and German. */
export const languageTests =
  (lab: () => Lab) =>
  (port: () => number, spelling: Spelling): void => {
    test('a German page leads to the German sign-in page and back', async () => {
      const { visit, page, url, post } = openVisit(port(), spelling)
      const { location } = await visit.send(page('/de/private'))
      expect(location?.href).toBe(
        `${url('/de/login')}?callbackUrl=${encodeURIComponent(visit.origin + page('/de/private'))}`,
      )
      const shown = await visit.send(page('/de/login') + location?.search)
      expect(shown.status).toBe(200)
      expect(shown.text).toContain('sign in, <!-- -->de')
      const callbackUrl = location?.searchParams.get('callbackUrl') ?? ''
      const answer = await post('callback/credentials', { password: 'right', callbackUrl })
      expect(answer.headers.get('location')).toBe(visit.origin + page('/de/private'))
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
      const data = `${spelling.mount}/_next/data/${lab().buildId}/de/private.json`
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
