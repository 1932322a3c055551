import { beforeAll, describe, expect, test } from 'vitest'
import { findNginx } from '../services.ts'
import { behindProxySuite, handlerTests, openSignedInVisit, openVisit } from './behind-proxy.ts'
import { buildLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { Spelling } from './spelling.ts'
import { LANGUAGES, languageTests } from './languages.ts'
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
          ...LANGUAGES,
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
    behindProxySuite(
      () => lab,
      spelling,
      handlerTests,
      cacheTests,
      languageTests(() => lab),
    )
  },
)
