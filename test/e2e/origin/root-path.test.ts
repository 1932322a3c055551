import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../../services.ts'
import { proxyTests, edgeTests } from './proxy-tests.ts'
import { untrustedHostTests } from './untrusted-host-tests.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { PathOptions } from './paths.ts'
import { originTests } from './origin-tests.ts'

const nginx = await findNginx()

describe.skipIf(!nginx)('an application at the root of its origin', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await buildLab({
      name: 'lab-plain',
      proxy: 'direct',
      without: ['app/cached'],
      config: { experimental: { serverActions: { allowedOrigins: ['app.test'] } } },
    })
  }, 240_000)

  test('is built', () => {
    expect(lab.built).toContain('Compiled successfully')
    expect(lab.built).not.toMatch(/not supported in the Edge Runtime|with warnings/)
  })

  const options: PathOptions = { basePath: '', trailingSlash: '' }
  originTests(() => lab, options)
  proxyTests(() => lab, options, edgeTests)
  untrustedHostTests(() => lab)
})
