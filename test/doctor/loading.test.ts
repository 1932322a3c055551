/** How the doctor finds the configuration of an application, and what it says when it cannot. */
import module from 'node:module'
import { afterAll, describe, expect, test } from 'vitest'
import { applicationWith, cleanUp, diagnose, GOOD_SECRET } from './patient.ts'

afterAll(cleanUp)

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** An application as people write them for Next.js: nothing in it is for Node alone. */
const NEXT = {
  'package.json': '{ "dependencies": { "next": "16.0.0" } }',
  'tsconfig.json': `{
    // As create-next-app writes it.
    "compilerOptions": { "paths": { "@/*": ["./src/*"] }, },
  }`,
  'src/auth.ts': `
    import Lib from 'lib-auth/next'
    import { LibConfig } from 'lib-auth/next'
    import { password } from '@/lib/password'
    import names from './names.json'
    console.log('a line of the application')
    setInterval(() => {}, 1000)
    const config: LibConfig = { providers: [password(names.first)] }
    export const { handlers, auth } = Lib(config)
  `,
  'src/names.json': '["ada"]',
  'src/lib/password.ts': `
    import 'server-only'
    import { NextResponse } from 'next/server'
    import { cookies } from 'next/headers'
    enum Kind { credentials = 'credentials' }
    export const password = (_name?: string) =>
      ({ id: 'password', name: 'Password', type: Kind.credentials, authorize: () => null })
  `,
  'src/app/(auth)/api/auth/[...auth]/route.ts': '',
}

describe('a configuration', () => {
  test.each(['esbuild', 'typescript'])(
    'of an application for Next.js is read with %s',
    async (compiler) => {
      const folder = applicationWith(NEXT, ['lib-auth', 'next', compiler])
      const { text, about, code, complaints } = await diagnose(folder, [], ENV)
      expect(about('configuration')).toEqual([
        '✓ configuration: src/auth.ts: what it gives to Lib.',
      ])
      expect(about('provider password')).toHaveLength(1)
      expect(about('base path')).toEqual(['✓ base path: /api/auth, which is the default.'])
      expect([code, complaints]).toEqual([0, ''])
      expect(text).toMatch(/\n\nNothing is wrong\.\n$/)
      expect(text).not.toContain('a line of the application')
    },
  )

  test('in TypeScript is read by Node where nothing else can, if Node can', async () => {
    const plain = `import type { AuthConfig } from 'lib-auth'
      export const config: AuthConfig = { providers: [] }`
    const folder = applicationWith({ 'auth.ts': plain }, ['lib-auth'])
    const [line] = (await diagnose(folder, [], ENV)).about('configuration')
    expect(line).toContain(
      'stripTypeScriptTypes' in module
        ? '✓ configuration: auth.ts: what it exports.'
        : `this is Node ${process.version}, and the project has neither esbuild nor TypeScript 5 or 6. Use Node 22.13 or newer, or install one of them: npm install --save-dev esbuild.`,
    )
  })

  test.each([
    ['export const config = { matcher: [] }; export const authConfig = { providers: [] }', 'named'],
    ['export default { providers: [] }', 'the default'],
  ])('is found where a module exports it: %s', async (code) => {
    const { about } = await diagnose(applicationWith({ 'lib/auth.mjs': code }), [], ENV)
    expect(about('configuration')).toEqual(['✓ configuration: lib/auth.mjs: what it exports.'])
    expect(about('base path')).toEqual(['✓ base path: /auth, which is the default.'])
  })

  test('is found where --config says', async () => {
    const folder = applicationWith({
      'auth.mjs': 'throw new Error("not this one")',
      'elsewhere/sign-in.mjs': 'export const config = { providers: [], basePath: "/here" }',
    })
    const { about } = await diagnose(folder, ['--config', 'elsewhere/sign-in.mjs'], ENV)
    expect(about('base path')).toEqual([
      '✓ base path: /here, as basePath of the configuration says.',
    ])
  })

  test('that is made for each request is made for none', async () => {
    const folder = applicationWith({
      'auth.mjs': `import Lib from 'lib-auth/next'
        export const { auth } = Lib(async (request) => ({ providers: [], basePath: request ? '/request' : '/none' }))`,
    })
    expect((await diagnose(folder, [], ENV)).about('base path')[0]).toContain('/none')
  })
})

describe('without a configuration, the environment is looked at, and it is said why', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['none', {}, '! configuration: not found: auth.ts, src/auth.ts, lib/auth.ts and the like'],
    [
      'a module that has none',
      { 'auth.mjs': 'export const config = { matcher: [] }' },
      '✗ configuration: auth.mjs has none: it calls no Lib, and exports no object with providers. → Write export const config',
    ],
    [
      'a module that throws',
      { 'auth.mjs': 'throw new Error(`no connection to ${process.env.DATABASE_URL}`)' },
      '✗ configuration: auth.mjs cannot be loaded here: no connection to [redacted]',
    ],
    [
      'a module that the library stops',
      {
        'auth.mjs': `import Nodemailer from 'lib-auth/providers/nodemailer'
          export const config = { providers: [Nodemailer({})] }`,
      },
      '✗ configuration: auth.mjs cannot be loaded: Provider nodemailer has no usable server. → Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.',
    ],
    [
      'a module that is not installed',
      { 'auth.mjs': 'import "not-installed"' },
      "✗ configuration: auth.mjs cannot be loaded here: Cannot find package 'not-installed'",
    ],
    [
      'a module that ends the process',
      { 'auth.mjs': 'process.exit(3)' },
      '✗ configuration: auth.mjs did not let itself be looked at: it ended with 3.',
    ],
    [
      'code that is none',
      { 'auth.ts': 'export const = {' },
      '✗ configuration: auth.ts cannot be loaded here: Transform failed with 1 error',
    ],
  ]
  test.concurrent.each(cases)('%s', async (_name, files, expected) => {
    const env = {
      ...ENV,
      AUTH_SECRET: 'changeme',
      DATABASE_URL: 'postgres://ada:hunter2@db.test/app',
    }
    const { about, text, code } = await diagnose(applicationWith(files), [], env)
    expect(about('configuration')[0]).toContain(expected)
    expect(about('configuration')[0]).toMatch(/ → .*(?:--config <file>|Read more|Set server)/)
    expect(about('secret')).toHaveLength(1)
    expect(about('origin')).toEqual(['✓ origin: https://app.test, as AUTH_URL says.'])
    expect(code).toBe(1)
    expect(text).not.toMatch(/hunter2|changeme/)
  })

  test('a module that waits for ever', { timeout: 30_000 }, async () => {
    const folder = applicationWith({
      'auth.mjs': 'setInterval(() => {}, 1000); await new Promise(() => {})',
    })
    const { about } = await diagnose(folder, [], ENV)
    expect(about('configuration')[0]).toContain('auth.mjs did not answer within 10000 ms.')
    expect(about('secret')).toEqual(['✓ secret: AUTH_SECRET.'])
  })
})
