import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../../services.ts'
import { proxyTests, edgeTests } from './proxy-tests.ts'
import { untrustedHostTests } from './untrusted-host-tests.ts'
import { buildApplication } from './application.ts'
import type { Application } from './application.ts'
import type { PathOptions } from './paths.ts'
import { originTests } from './origin-tests.ts'

const nginx = await findNginx()

describe.skipIf(!nginx)('an application at the root of its origin', () => {
  let application: Application
  beforeAll(async () => {
    application = await buildApplication({
      name: 'origin-plain',
      proxy: 'direct',
      without: ['app/cached'],
      config: { experimental: { serverActions: { allowedOrigins: ['app.test'] } } },
    })
  }, 240_000)

  test('is built', () => {
    expect(application.built).toContain('Compiled successfully')
    expect(application.built).not.toMatch(/not supported in the Edge Runtime|with warnings/)
  })

  const options: PathOptions = { basePath: '', trailingSlash: '' }
  originTests(() => application, options)
  proxyTests(() => application, options, edgeTests)
  untrustedHostTests(() => application)
})
