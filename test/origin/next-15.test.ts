import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../services.ts'
import { behindProxySuite, edgeTests, handlerTests } from './behind-proxy.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import { LANGUAGES, languageTests } from './languages.ts'
import { originSuite } from './one-origin.ts'
import type { Spelling } from './spelling.ts'
import { SOME_WAYS } from './ways.ts'

const nginx = await findNginx()

describe.skipIf(!nginx)(
  'an application on Next.js 15, with its middleware on the edge, below a path and in several languages',
  () => {
    let lab: Lab
    beforeAll(async () => {
      lab = await buildLab({
        name: 'lab-15',
        version: 15,
        proxy: 'wrapped',
        without: ['app/cached'],
        signIn: '/login',
        config: {
          basePath: '/app',
          ...LANGUAGES,
          experimental: { serverActions: { allowedOrigins: ['app.test'] } },
        },
      })
    }, 240_000)

    // Covers: next.edge-build
    test('is built, and nothing is said about what the edge does not support', () => {
      expect(lab.built).toContain('Compiled successfully')
      expect(lab.built).not.toMatch(/not supported in the Edge Runtime|with warnings/)
    })

    const spelling: Spelling = { mount: '/app', slash: '', signIn: '/login' }
    originSuite(() => lab, spelling, SOME_WAYS)
    behindProxySuite(
      () => lab,
      spelling,
      handlerTests,
      edgeTests,
      languageTests(() => lab),
    )
  },
)
