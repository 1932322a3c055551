/** `migrate-imports` reports the remaining manual steps in source code. */
import { describe, expect, test } from 'vitest'
import { shippedProviders } from '../../../src/cli/migrate-imports/replacements.ts'
import { rewrite } from '../../../src/cli/migrate-imports/rewrite.ts'

/** The notes about a source, by line. */
function notes(source: string, file?: string): string[] {
  const { notes: all } = rewrite(source, shippedProviders(), file)
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

/** Every word that is reported in code, and a cookie. */
const REPORTED = "getServerSession withAuth NEXTAUTH_URL authjs.session-token signIn('guest')"

describe('what is not code is not reported:', () => {
  test.each<[string, string, string?]>([
    ['a comment', `import NextAuth from 'next-auth' // ${REPORTED}`],
    ['a comment of several lines', `/* import 'next-auth/middleware'\n${REPORTED} */`],
    ['an import in a comment', `// import { withAuth } from 'next-auth/middleware'`],
    ['an import in a text', 'const text = `import { withAuth } from "next-auth/middleware"`'],
    ['the text of a page', `import 'next-auth/react'\nconst page = <p>${REPORTED}</p>`],
    ['a text with an apostrophe', `import 'next-auth'\nconst a = <p>don't {x} ${REPORTED}</p>`],
    [
      'the text of an element with type arguments',
      `import 'next-auth'\nconst a = <A<Map<B, C>> d={e}>${REPORTED}</A>`,
    ],
    ['a fragment', `import 'next-auth'\nconst a = <>{a && <b>x</b>} ${REPORTED}</>`],
    [
      'a comment in an element',
      `import 'next-auth'\nconst a = <p /* ${REPORTED} */>{/* withAuth */}</p>`,
    ],
    ['a string with a text', `import 'next-auth'\nconst text = "getServerSession, withAuth"`],
    ['a template with a text', 'import "next-auth"\nconst a = `withAuth ${b} NEXTAUTH_URL is old`'],
    ['a regular expression', `import 'next-auth'\nconst a = /withAuth|NEXTAUTH_URL/.test(b)`],
    [
      'the template of a component',
      `<script>import 'next-auth'</script><p>${REPORTED}</p>`,
      'a.vue',
    ],
    ['a page of Astro', `---\nimport 'lib-auth/astro'\n---\n<p>${REPORTED}</p>`, 'a.astro'],
  ])('%s', (_name, source, file) => {
    expect(notes(source, file)).toEqual([])
  })
})

describe('what is code is reported next to something that is not:', () => {
  test.each<[string, string, string?]>([
    ['after an apostrophe in a text', `const a = <p>it's</p>; process.env.NEXTAUTH_URL`],
    ['in an expression of an element', `const a = <p>it's {process.env.NEXTAUTH_URL}</p>`],
    ['in an attribute', `const a = <A b={process.env.NEXTAUTH_URL} c="it's"/>`],
    ['in a template', 'const a = `it\'s ${process.env.NEXTAUTH_URL} "`'],
    ['after type parameters', `const f = <T,>(x: T) => "it's"; process.env.NEXTAUTH_URL`],
    ['after a generic type', `type F = { f: <T>(x: T) => void }; process.env.NEXTAUTH_URL`],
    ['after a cast', `const a = <Props>b; process.env.NEXTAUTH_URL`, 'a.ts'],
    ['after a comparison', `if (a <b && c> d) process.env.NEXTAUTH_URL`],
    ['after a division', `const a = b / c; const d = process.env.NEXTAUTH_URL / e`],
    ['after an increment', `const a = b++ / 2; const c = "d/e"; process.env.NEXTAUTH_URL`],
    ['after a non-null assertion', `const a = b! / process.env.NEXTAUTH_URL / c`, 'a.ts'],
    ['after a property like a keyword', `const a = b.of / process.env.NEXTAUTH_URL / c`],
    ['after a number', `const a = 1.5 / process.env.NEXTAUTH_URL / 2`],
    [
      'in an element with type arguments',
      `const a = <A<Map<B, C>> d="e">it's {process.env.NEXTAUTH_URL}</A>`,
    ],
    ['after a regular expression', `a.replace(/['"\`/*]/g, ''); process.env.NEXTAUTH_URL`],
    ['after an open string', `const it's\nprocess.env.NEXTAUTH_URL`],
    [
      'in a component',
      `<p>it's</p><script lang="ts">process.env.NEXTAUTH_URL</script>`,
      'a.svelte',
    ],
    ['in the script of a page of Astro', `---\nimport.meta.env.NEXTAUTH_URL\n---\n`, 'a.astro'],
  ])('%s', (_name, source, file) => {
    expect(notes(source, file)).toEqual([expect.stringContaining('rename it to AUTH_URL')])
  })
})

describe('a sign-in in a GET handler', () => {
  const WHAT = expect.stringContaining('signIn() in a GET handler signs in whoever opens a link')

  test.each([
    `import { signIn } from '@/app/(auth)/auth'\nexport async function GET(request: Request) {\n  return signIn('guest', { redirectTo: '/' })\n}`,
    `import { signIn } from '../auth'\nexport const GET = async () => signIn("github")`,
    `import { auth, signIn } from 'lib-auth'\nexport const GET = auth((request) => signIn(provider))`,
    `const { signIn } = NextAuth(config)\nasync function get() { await signIn('guest') }\nexport { get as GET }`,
    `import { signIn as start } from '@/auth'\nexport const GET = () => start('guest')`,
    `import * as a from './auth'\nexport const GET = () => a.signIn('guest')`,
    `import { signIn } from './auth'\nconst start = () => signIn('guest')\nexport const GET = start`,
    `import { signIn } from './auth'\nconst start = () => signIn('guest')\nexport const GET: RequestHandler = start`,
    `import { signIn } from '~/server/auth'\nexport function GET() {\n  return guest()\n}\nfunction guest() { return signIn('guest') }`,
  ])('is reported: %s', (source) => {
    expect(notes(source)).toEqual([WHAT])
  })

  test.each([
    `import { signIn } from '@/auth'\nexport const POST = () => signIn('guest')`,
    `import { signIn } from '@/auth'\nexport async function GET() {\n  return Response.json(1)\n}\nexport async function POST() {\n  await signIn('guest')\n}`,
    `import { signIn } from '@/auth'\nexport const GET = () => signIn()`,
    `import { signIn } from '@/auth'\nexport const GET = () => signIn(undefined, { redirectTo: '/' })`,
    `import { signIn } from 'aws-amplify/auth-client'\nexport const GET = () => signIn({ username })`,
    `import { signIn } from '@/auth'\nexport async function startSignIn() { await signIn('github') }`,
    `export const GET = () => client.signIn('guest')`,
    `import * as client from 'aws-amplify'\nexport const GET = () => client.signIn('guest')`,
    `import * as a from './auth'\nexport const POST = () => a.signIn('guest')`,
    `import { handlers } from './auth'\nexport const GET = handlers.GET`,
  ])('is not reported: %s', (source) => {
    expect(notes(source)).toEqual([])
  })
})

test.each([
  [`Keycloak({ issuer: 'http://localhost:8080/realms/dev' })`, 1],
  ['const a = { issuer: `http://${host}` }', 1],
  [`Keycloak({ issuer: 'https://id.example.com' })`, 0],
  [`Keycloak({ issuer: process.env.ISSUER ?? 'http://localhost:8080' })`, 1],
  [`Keycloak({ issuer: isLocal ? 'http://localhost:8080' : 'https://id.example.com' })`, 1],
  [`Keycloak({ issuer: isLive ? 'https://id.example.com' : 'http://localhost:8080' })`, 1],
  [`const a = { "issuer": "http://localhost:8080" }`, 1],
  [`Op({ wellKnown: 'http://localhost:8080/.well-known/openid-configuration' })`, 1],
  [`Op({ issuer, website: 'http://localhost:8080' })`, 0],
  [`const text = "issuer: 'http://localhost:8080'"`, 0],
  ["const text = `issuer: 'http://localhost:8080'`", 0],
  [`// issuer: 'http://localhost:8080'`, 0],
])('reports an issuer over http: %s', (source, count) => {
  const found = notes(source).filter((note) => note.includes('[insecureHttp]: true'))
  expect(found).toHaveLength(count)
})
