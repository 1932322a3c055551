import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../../services.ts'
import { proxyTests, handlerTests, openSignedInVisit, openVisit } from './proxy-tests.ts'
import { buildApplication } from './application.ts'
import type { Application } from './application.ts'
import type { PathOptions } from './paths.ts'
import { LOCALES, localeTests } from './locale-tests.ts'
import { originTests } from './origin-tests.ts'
import { SOME_DEPLOYMENTS } from './deployments.ts'

const nginx = await findNginx()

let application: Application

function cacheTests(port: () => number, options: PathOptions): void {
  test('a page with a cached part shows the current user', async () => {
    const { visit, page } = await openSignedInVisit(port(), options)
    // The second response uses the cached part.
    for (const _ of [1, 2]) {
      const { text } = await visit.send(page('/cached'))
      expect(text).toContain('shared content')
      expect(text).toContain('<h1>Grace<')
    }
    const { text } = await openVisit(port(), options).visit.send(page('/cached'))
    expect(text).toContain('<h1>no user<')
    expect(text).not.toContain('Grace')
  })
}

describe.skipIf(!nginx)(
  'an application with a base path, trailing slashes and several locales',
  () => {
    beforeAll(async () => {
      application = await buildApplication({
        name: 'origin-mounted',
        proxy: 'lazy',
        without: ['app/edge'],
        signIn: '/login',
        config: {
          basePath: '/app',
          trailingSlash: true,
          cacheComponents: true,
          ...LOCALES,
          experimental: { serverActions: { allowedOrigins: ['app.test'] } },
        },
      })
    }, 240_000)

    test('is built', () => {
      expect(application.built).toContain('Compiled successfully')
      // The build prerenders the static shell.
      expect(application.built).toMatch(/◐ \/cached/)
    })

    const options: PathOptions = { basePath: '/app', trailingSlash: '/', signIn: '/login' }
    originTests(() => application, options, SOME_DEPLOYMENTS)
    proxyTests(
      () => application,
      options,
      handlerTests,
      cacheTests,
      localeTests(() => application),
    )
  },
)
