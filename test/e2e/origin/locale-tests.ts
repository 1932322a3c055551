/** Localized pages, which only the Pages Router has. */
import { expect, test } from 'vitest'
import { openVisit } from './proxy-tests.ts'
import type { Application } from './application.ts'
import type { PathOptions } from './paths.ts'

/** Settings for the configuration of Next. */
export const LOCALES = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } }

/** Tests of an application in English and German. */
export const localeTests =
  (application: () => Application) =>
  (port: () => number, options: PathOptions): void => {
    test('a German page redirects to the German sign-in page and back', async () => {
      const { visit, page, url, post } = openVisit(port(), options)
      const { location } = await visit.send(page('/de/private'))
      expect(location?.href).toBe(
        `${url('/de/login')}?callbackUrl=${encodeURIComponent(visit.origin + page('/de/private'))}`,
      )
      const signInPage = await visit.send(page('/de/login') + location?.search)
      expect(signInPage.status).toBe(200)
      expect(signInPage.text).toContain('sign in, <!-- -->de')
      const callbackUrl = location?.searchParams.get('callbackUrl') ?? ''
      const answer = await post('callback/credentials', { password: 'right', callbackUrl })
      expect(answer.headers.get('location')).toBe(visit.origin + page('/de/private'))
      expect((await visit.send(page('/de/private'))).text).toMatch(
        /signed-in users, (?:<!-- -->)?de/,
      )
    })

    test.each(['/de/private', '/DE/private', '/en/private', '/private'])(
      '%s requires a session',
      async (path) => {
        const { visit, page } = openVisit(port(), options)
        expect((await visit.send(page(path))).status).toBe(307)
      },
    )

    test('a client-side navigation to a protected page redirects to the German sign-in page', async () => {
      const { visit } = openVisit(port(), options)
      const data = `${options.basePath}/_next/data/${application().buildId}/de/private.json`
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
