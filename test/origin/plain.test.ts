import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../services.ts'
import { behindProxySuite, edgeTests } from './behind-proxy.ts'
import { untrustedSuite } from './untrusted.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { Spelling } from './spelling.ts'
import { originSuite } from './one-origin.ts'

const nginx = await findNginx()

describe.skipIf(!nginx)('an application at the root of its site', () => {
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

  const spelling: Spelling = { mount: '', slash: '' }
  originSuite(() => lab, spelling)
  behindProxySuite(() => lab, spelling, edgeTests)
  untrustedSuite(() => lab)
})
