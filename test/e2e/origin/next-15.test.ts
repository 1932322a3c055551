import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../../services.ts'
import { proxyTests, edgeTests, handlerTests } from './proxy-tests.ts'
import { buildApplication } from './application.ts'
import type { Application } from './application.ts'
import { LOCALES, localeTests } from './locale-tests.ts'
import { originTests } from './origin-tests.ts'
import type { PathOptions } from './paths.ts'
import { SOME_DEPLOYMENTS } from './deployments.ts'

const nginx = await findNginx()

describe.skipIf(!nginx)(
  'an application on Next.js 15, with its middleware on the edge, a base path and several locales',
  () => {
    let application: Application
    beforeAll(async () => {
      application = await buildApplication({
        name: 'origin-15',
        version: 15,
        proxy: 'wrapped',
        without: ['app/cached'],
        signIn: '/login',
        config: {
          basePath: '/app',
          ...LOCALES,
          experimental: { serverActions: { allowedOrigins: ['app.test'] } },
        },
      })
    }, 240_000)

    test('is built without a warning about the edge runtime', () => {
      expect(application.built).toContain('Compiled successfully')
      expect(application.built).not.toMatch(/not supported in the Edge Runtime|with warnings/)
    })

    const options: PathOptions = { basePath: '/app', trailingSlash: '', signIn: '/login' }
    originTests(() => application, options, SOME_DEPLOYMENTS)
    proxyTests(
      () => application,
      options,
      handlerTests,
      edgeTests,
      localeTests(() => application),
    )
  },
)
