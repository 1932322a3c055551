/** `migrate-imports` reports the remaining manual steps in source code. */
import { describe, expect, test } from 'vitest'
import { rewrite, shippedProviders } from '../../src/cli/rewrite.ts'

/** The notes about a source, by line. */
function notes(source: string): string[] {
  const { notes: all } = rewrite(source, shippedProviders())
  return all.map(({ line, what }) => `${line}: ${what}`)
}

test.each(['/auth/*', '/auth/*splat', '/auth{/*splat}', '/auth'])(
  'Express routes below %s need no change',
  (path) => {
    const source = `import { ExpressAuth } from '@auth/express'; app.use('${path}', ExpressAuth(config))`
    expect(notes(source)).toEqual([])
  },
)

describe('notes', () => {
  test.each<[string, string, RegExp]>([
    [
      'a provider that lib-auth does not contain',
      `import M from 'next-auth/providers/medium'`,
      /medium is a provider that lib-auth does not contain\. .* works as long as next-auth is installed\. What to use instead: .*docs\/providers\/README\.md/,
    ],
    [
      'the proxy of version 4',
      `export { default } from 'next-auth/middleware'`,
      /next-auth\/middleware is of version 4/,
    ],
    [
      'the session of version 4',
      `import { getServerSession } from 'next-auth'`,
      /getServerSession is auth\(\) now/,
    ],
    [
      'options of version 4',
      `import type { NextAuthOptions } from 'next-auth'`,
      /NextAuthOptions is LibConfig/,
    ],
    [
      'an adapter of version 4',
      `import { PrismaAdapter } from '@next-auth/prisma-adapter'`,
      /install @auth\/prisma-adapter/,
    ],
    [
      'Express routes below another path',
      `import { ExpressAuth } from '@auth/express'; app.use('/api/auth/*splat', ExpressAuth(config))`,
      /set basePath: "\/api\/auth" in the configuration of ExpressAuth and getSession/,
    ],
    [
      'Express routes at the root',
      `import { ExpressAuth } from '@auth/express'; app.use("/{*splat}", ExpressAuth(config))`,
      /set basePath: "\/" in the configuration/,
    ],
    [
      'the proxy setting of Express',
      `import { getSession } from '@auth/express'; app.set('trust proxy', true)`,
      /"trust proxy" does not apply to lib-auth: set AUTH_URL/,
    ],
    [
      'the client configuration of Hono',
      `import { authConfigManager } from '@hono/auth-js/react'`,
      /authConfigManager has no equivalent: set basePath of SessionProvider/,
    ],
    [
      'the token of a user of Hono',
      `import { getAuthUser } from '@hono/auth-js'; const id = (await getAuthUser(c))?.token?.sub`,
      /The result of getAuthUser has no token: add its claims to the session/,
    ],
    [
      'the configuration in the context of Hono',
      `import { verifyAuth } from '@hono/auth-js'; c.get('authConfig').basePath`,
      /context variable authConfig is not set/,
    ],
    [
      'a type of Hono',
      `import type { ConfigHandler } from '@hono/auth-js'`,
      /ConfigHandler is a type that lib-auth does not export/,
    ],
    [
      'a type of Express',
      `import type { GetSessionResult } from '@auth/express'`,
      /GetSessionResult is Promise<Session \| null> now/,
    ],
    ['a module without an equivalent', `import x from 'next-auth/lib/env'`, /has no equivalent/],
    [
      'settings of Next',
      `export default { transpilePackages: ['next-auth'] }`,
      /"next-auth" is not an import.* Remove it from transpilePackages/,
    ],
    [
      'packages that Vitest transforms',
      `export default { test: { server: { deps: { inline: ['next-auth'] } } } }`,
      /In the settings of a test runner \(server\.deps\.inline, .*\) rename it to lib-auth/,
    ],
    [
      'a type that lib-auth does not export',
      `import type { OIDCConfigInternal } from '@auth/core/providers'`,
      /OIDCConfigInternal is a type that lib-auth does not export/,
    ],
    [
      'settings of a test runner',
      `export default { moduleNameMapper: { '^next-auth$': './x' } }`,
      /"\^next-auth\$" is not an import/,
    ],
    [
      'the name of a cookie',
      `cookies().get('__Secure-authjs.session-token')`,
      /called lib\.session-token now/,
    ],
    [
      'a variable',
      `const url = process.env.NEXTAUTH_URL`,
      /NEXTAUTH_URL is deprecated; rename it to AUTH_URL\./,
    ],
    [
      'a variable in brackets',
      `const url = process.env['NEXTAUTH_SECRET']`,
      /rename it to AUTH_SECRET\./,
    ],
    [
      'an export that Next.js does not find',
      `import NextAuth from 'next-auth'\nexport const { handlers, auth: middleware } = NextAuth(config)`,
      /^2: Next\.js does not find .* export \{ auth as middleware \}/,
    ],
  ])('report %s', (_name, source, expected) => {
    expect(notes(source).filter((note) => expected.test(note))).toHaveLength(1)
  })

  test('ignore names of version 4 in files without next-auth', () => {
    expect(notes(`import { withAuth } from './hoc'\nwithAuth(Page)`)).toEqual([])
    expect(notes(`export const { auth: proxy } = firebase()`)).toEqual([])
  })

  test('report each name once', () => {
    const source = `import { getServerSession } from 'next-auth'\n// getServerSession\ngetServerSession()\n`
    expect(notes(source)).toEqual(['1: getServerSession is auth() now.'])
  })

  test('report every call of getToken, under each imported name', () => {
    const source = `import { getToken, getToken as read } from 'next-auth/jwt'
export const first = await getToken({ req })
export const second = await getToken<true>({ req, raw: true })
export const third = await read({ req })
`
    const what =
      'getToken() does not receive the configuration of NextAuth(): pass config, or migrateSessions: true to read the sessions of next-auth.'
    expect(notes(source)).toEqual([`2: ${what}`, `3: ${what}`, `4: ${what}`])
  })

  test('ignore getToken of other libraries', () => {
    expect(notes(`import { getToken } from 'firebase/messaging'\ngetToken(messaging)`)).toEqual([])
    const own = `import NextAuth from 'next-auth'\nfunction getToken() {}\ngetToken()`
    expect(notes(own)).toEqual([])
    const method = `import { decode } from 'next-auth/jwt'\nmessaging.getToken()\nfunction getToken() {}`
    expect(notes(method)).toEqual([])
  })
})

describe('imports of __NEXTAUTH, which only next-auth exports,', () => {
  const WHAT =
    '__NEXTAUTH is private state of next-auth/react, so this import was not changed: set basePath of SessionProvider instead.'

  test.each([
    `import { __NEXTAUTH } from 'next-auth/react'`,
    `import { __NEXTAUTH as state } from "next-auth/react"`,
    `const { __NEXTAUTH } = await import('next-auth/react')`,
    `const { __NEXTAUTH } = require('next-auth/react')`,
    `export { __NEXTAUTH } from 'next-auth/react'`,
  ])('are reported and not changed: %s', (source) => {
    const { text, changes } = rewrite(source, shippedProviders())
    expect([text, changes]).toEqual([source, []])
    expect(notes(source)).toEqual([`1: ${WHAT}`])
  })

  test('do not affect other imports of the file', () => {
    const source = `import { __NEXTAUTH } from 'next-auth/react'\nimport { useSession } from 'next-auth/react'\n__NEXTAUTH.basePath = '/x'\n`
    const { text } = rewrite(source, shippedProviders())
    expect(text).toBe(source.replace(/(useSession.*)next-auth/, '$1lib-auth'))
  })
})
