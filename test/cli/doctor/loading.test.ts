/** `doctor` finds and loads the configuration of an application, or reports why it cannot. */
import module from 'node:module'
import { afterAll, describe, expect, test } from 'vitest'
import { findRuntime } from '../../services.ts'
import { applicationWith, callDoctor, cleanUp, GOOD_SECRET, runDoctor } from './run-doctor.ts'

afterAll(cleanUp)

const node = await findRuntime('node-24')

const ENV = { AUTH_SECRET: GOOD_SECRET, AUTH_URL: 'https://app.test' }

/** An application for Next.js, which Node cannot run without a compiler. */
const NEXT = {
  'package.json': '{ "dependencies": { "next": "16.0.0" } }',
  'tsconfig.json': `{
    // As create-next-app writes it.
    "include": ["https://app.test/**/*.ts", "/* ,] */", "\\\\"], /* "paths" */
    "compilerOptions": { "paths": { "@/*": ["./src/*",], /* , */ }, },
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
  'src/app/(auth)/api/auth/[...auth]/route.ts': 'export const { GET, POST } = handlers',
}

describe('a configuration', () => {
  const COMPILERS: [string, string[]][] = [
    ['Next.js 16 and TypeScript 7, as in the quick start', ['next', 'typescript@7']],
    ['Next.js 15 and TypeScript 7', ['next@15', 'typescript@7']],
  ]

  test.each(COMPILERS)('in TypeScript is compiled with %s', async (_name, modules) => {
    const folder = applicationWith(NEXT, ['lib-auth', ...modules])
    const { text, about, code, stderr } = await runDoctor(folder, [], ENV)
    expect(about('configuration')).toEqual([
      '✓ configuration: the argument of Lib() in src/auth.ts.',
    ])
    expect(about('base path')).toEqual(['✓ base path: /api/auth (default).'])
    expect([code, stderr]).toEqual([0, ''])
    expect(text).toMatch(/\n\nNo problems found\.\n$/)
    expect(text).not.toContain('a line of the application')
  })

  test('in TypeScript is compiled by Node without another compiler, if Node supports it', async () => {
    const plain = `import type { AuthConfig } from 'lib-auth'
      export const config: AuthConfig = { providers: [] }`
    const folder = applicationWith({ 'auth.ts': plain }, ['lib-auth'])
    const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
    expect(line).toContain(
      'stripTypeScriptTypes' in module
        ? '✓ configuration: an export in auth.ts.'
        : `auth.ts is TypeScript: Next.js is not installed, and Node.js ${process.version} cannot strip types. Use Node.js 22.13 or newer, or name a JavaScript module: --config <file>`,
    )
  })

  test.skipIf(node === null)('in TypeScript may have more than types without Next.js', async () => {
    const code = `enum Kind { Credentials = 'credentials' }
      class Names { constructor(readonly first: string) {} }
      const { first: id } = new Names('password')
      const password = { id, name: 'Password', type: Kind.Credentials, authorize: () => null }
      export const config = { providers: [password] }`
    const folder = applicationWith({ 'auth.ts': code }, ['lib-auth'])
    const { about } = await runDoctor(folder, [], ENV, node ?? undefined)
    expect(about('configuration')).toEqual(['✓ configuration: an export in auth.ts.'])
  })

  test('in TypeScript is not compiled by Next.js if Yarn does not find it', async () => {
    const folder = applicationWith({
      'auth.ts': 'export const config = { providers: [] }',
      'pnp.cjs': `const Module = require('node:module')
        const resolve = Module._resolveFilename
        Module._resolveFilename = function (name, ...others) {
          if (!name.startsWith('next/')) return resolve.call(this, name, ...others)
          const message = "Your application tried to access next, but it isn't declared in your dependencies; this makes the require call ambiguous and unsound.\\n\\nRequired package: next"
          throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND', pnpCode: 'UNDECLARED_DEPENDENCY' })
        }`,
    })
    const { about } = await runDoctor(folder, [], { ...ENV, NODE_OPTIONS: '--require ./pnp.cjs' })
    const [line] = about('configuration')
    expect(line).toContain(
      'stripTypeScriptTypes' in module ? 'an export in auth.ts' : 'cannot strip types',
    )
  })

  test('has the paths of a file that tsconfig.json extends, such as that of a monorepo', async () => {
    const folder = applicationWith({
      'tsconfig.json': '{ "extends": ["./base/paths", "./base/strict.json"] }',
      'base/paths.json': '{ "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }',
      'base/strict.json': '{ "compilerOptions": { "strict": true } }',
      'auth.mjs': `import { providers } from '@/providers'; export const config = { providers }`,
      'src/providers.mjs': 'export const providers = []',
    })
    const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
    expect(line).toBe('✓ configuration: an export in auth.mjs.')
  })

  test('is not loaded if tsconfig.json is not JSON, which is never executed', async () => {
    const folder = applicationWith({
      'auth.mjs': "import 'lib-auth'; export const config = { providers: [] }",
      'tsconfig.json': '{ "extends": (() => { throw new Error("executed") })() }',
    })
    const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
    expect(line).toContain('tsconfig.json is not valid (Unexpected token ')
    expect(line).not.toContain('executed')
  })

  test.each([
    ['export const config = { matcher: [] }; export const authConfig = { providers: [] }', 'named'],
    ['export default { providers: [] }', 'the default'],
  ])('is found where a module exports it: %s', async (code) => {
    const { about } = await callDoctor(applicationWith({ 'lib/auth.mjs': code }), [], ENV)
    expect(about('configuration')).toEqual(['✓ configuration: an export in lib/auth.mjs.'])
    expect(about('base path')).toEqual(['✓ base path: /auth (default).'])
  })

  test.each([
    'src/auth.server.mjs',
    'app/auth.server.js',
    'server/utils/auth.mjs',
    'app/lib/auth.js',
    'src/hooks.server.js',
  ])('is found in %s', async (file) => {
    const code = 'export default { providers: [] }'
    const { about } = await callDoctor(applicationWith({ [file]: code }), [], ENV)
    expect(about('configuration')).toEqual([`✓ configuration: an export in ${file}.`])
  })

  test.each([
    ['import Lib from', 'next', 'lib-auth/next'],
    ['import NextAuth from', 'next', 'lib-auth/next'],
    ['import { Lib } from', 'express', 'lib-auth/express'],
    ['import { NextAuth } from', '@sveltejs/kit', 'lib-auth/sveltekit'],
    ['import Lib from', 'unknown', 'lib-auth/node'],
  ])(
    'that begins with %j from lib-auth is not loaded, in an application on %s',
    async (start, dependency, expected) => {
      const folder = applicationWith({
        'auth.mjs': `${start} 'lib-auth'\nexport const config = { providers: [] }`,
        'package.json': JSON.stringify({ dependencies: { [dependency]: '1.0.0' } }),
      })
      const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
      expect(line).toContain(` → Write import Lib from '${expected}'. The remaining checks`)
    },
  )

  test('that has another default import which does not exist names the module', async () => {
    const code = `import errors from 'lib-auth/errors'\nexport const config = { providers: [] }`
    const [line] = (await callDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)).about(
      'configuration',
    )
    expect(line).toContain(
      " → lib-auth/errors has no default export: write import { … } from 'lib-auth/errors'. ",
    )
  })

  test('is reported with misspelt options, which are no error', async () => {
    const code = `import Lib from 'lib-auth/node'
      const password = { id: 'password', type: 'credentials', name: 'Password', authorize: () => null }
      export const lib = Lib({ providers: [password], trustedHost: [], session: { maxage: 60 } })`
    const found = await callDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)
    expect(found.about('configuration').slice(1)).toEqual([
      '! configuration: trustedHost is not an option. Did you mean trustedHosts?',
      '! configuration: session.maxage is not an option. Did you mean session.maxAge?',
    ])
    expect(found.code).toBe(0)
  })

  test('has the base path of the wrapper to which it is passed', async () => {
    const code = `import Lib from 'lib-auth/node'; export const lib = Lib({ providers: [] })`
    const { about } = await callDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)
    expect(about('configuration')).toEqual(['✓ configuration: the argument of Lib() in auth.mjs.'])
    expect(about('base path')).toEqual(['✓ base path: /auth (default).'])
  })

  test('is loaded from the module of --config', async () => {
    const folder = applicationWith({
      'auth.mjs': 'throw new Error("not this one")',
      'elsewhere/sign-in.mjs': 'export const config = { providers: [], basePath: "/here" }',
    })
    const { about } = await callDoctor(folder, ['--config', 'elsewhere/sign-in.mjs'], ENV)
    expect(about('base path')).toEqual(['✓ base path: /here (basePath in the configuration).'])
  })

  const EMPTY = ', so no user can sign in. → Add one: import GitHub'
  describe.each([
    ['Lib({ … })', (options: string) => `lib = Lib({ ${options} })`],
    ['Lib(() => ({ … }))', (options: string) => `lib = Lib(() => ({ ${options} }))`],
    ['an export', (options: string) => `config = { ${options} }`],
  ])('in %s', (_place, statement) => {
    test.each([
      [
        'provider: [password]',
        '! configuration: provider is not an option. Did you mean providers?',
      ],
      ['provider: [password]', `✗ providers: the list is missing${EMPTY}`],
      ['provider: password', `✗ providers: the list is missing${EMPTY}`],
      [
        'Providers: [password]',
        '! configuration: Providers is not an option. Did you mean providers?',
      ],
      [
        'providers: password',
        '✗ configuration: providers is not an array (got an object). → Write providers: [GitHub].',
      ],
      ['providers: []', `✗ providers: the list is empty${EMPTY}`],
      [
        'providers: [[password]]',
        '✗ configuration: providers[0] is not a provider object or factory (got an array).',
      ],
    ])('{ %s } is an error', async (options, line) => {
      const code = `import Lib from 'lib-auth/node'
        const password = { id: 'password', type: 'credentials', name: 'Password', authorize: () => null }
        export const ${statement(options)}`
      const found = await callDoctor(applicationWith({ 'auth.mjs': code }), [], ENV)
      expect(found.text.replaceAll('\n    ', ' → ')).toContain(line)
      expect(found.code).toBe(1)
      expect(found.text).not.toContain('cannot be loaded')
    })
  })

  test('may import what only the build of a framework has', async () => {
    const folder = applicationWith({
      'package.json': '{ "type": "module" }',
      'src/auth.js': `import { env } from '$env/dynamic/private'
        import { AUTH_SECRET } from '$env/static/private'
        import { dev } from '$app/environment'
        import { getSecret } from 'astro:env/server'
        import { env as bindings } from 'cloudflare:workers'
        import password from '$lib/password'
        import Lib from 'lib-auth/sveltekit'
        const all = [env.AUTH_URL, AUTH_SECRET, getSecret('AUTH_URL'), bindings.AUTH_URL, import.meta.env.AUTH_URL]
        if (!dev || !import.meta.env.DEV || !all.every(Boolean)) throw new Error('variables are missing')
        export const { handle } = Lib({ providers: [password] })`,
      'src/lib/password.js': `export default { id: 'password', type: 'credentials', name: 'Password', authorize: () => null }`,
    })
    const { about, code } = await callDoctor(folder, [], ENV)
    expect(about('configuration')).toEqual([
      '✓ configuration: the argument of Lib() in src/auth.js.',
    ])
    expect(code).toBe(0)
  })

  test('is found in module.exports', async () => {
    const folder = applicationWith({ 'auth.js': 'module.exports = { config: { providers: [] } }' })
    expect((await callDoctor(folder, [], ENV)).about('configuration')).toEqual([
      '✓ configuration: an export in auth.js.',
    ])
  })
})

describe('a configuration per request', () => {
  const REST = 'The remaining checks ran without it.'
  const EXPORT_ONE = `${REST} To check one configuration, such as that of one tenant, export it as config from a module, and name the module: --config <file>`
  const PASSWORD = `const password = { id: 'password', type: 'credentials', name: 'Password', authorize: () => null }`
  const WRAPPERS =
    'next node express fastify hono sveltekit nuxt astro react-router tanstack-start'.split(' ')

  const check = (source: string, wrapper = 'node', others = '') =>
    callDoctor(
      applicationWith({
        'auth.mjs': `import Lib from 'lib-auth/${wrapper}'\n${PASSWORD}\n${others}\nexport const lib = Lib(${source})`,
      }),
      [],
      ENV,
    )

  test.each(['next', 'node'])(
    'is created without a request, and doctor says so: %s',
    async (wrapper) => {
      const source = `async (request) => ({ providers: [password], basePath: request ? '/request' : '/none' })`
      const { about, code } = await check(source, wrapper)
      expect(about('configuration')).toEqual([
        '✓ configuration: the function in the argument of Lib() in auth.mjs, called without a request.',
      ])
      expect(about('base path')[0]).toContain('/none')
      expect(code).toBe(0)
    },
  )

  test.each(WRAPPERS)('that needs the request is no error: %s', async (wrapper) => {
    const source = '(request) => ({ providers: [password], origin: request.url })'
    const { about, code, stderr } = await check(source, wrapper)
    expect(about('configuration')).toEqual([
      `! configuration: the function in the argument of Lib() in auth.mjs was called without a request, and failed: Cannot read properties of undefined (reading 'url') → ${EXPORT_ONE}`,
    ])
    expect([code, stderr]).toEqual([0, ''])
  })

  test.concurrent.each([
    [
      'that fails without needing one',
      `async () => { throw new Error('no database') }`,
      'failed, as every request will: no database → ',
    ],
    [
      'that throws no error',
      `() => { throw 'no database' }`,
      'failed, as every request will: no database → ',
    ],
    [
      'that returns nothing',
      '() => undefined',
      'returned undefined. → Return the configuration: { providers: [GitHub] }. ',
    ],
    [
      'that returns a list',
      'async () => []',
      'returned an array. → Return the configuration: { providers: [GitHub] }. ',
    ],
    [
      'that never returns',
      '() => new Promise(() => {})',
      'failed, as every request will: It timed out after 10000 ms. → ',
    ],
  ])('%s is an error', async (_which, source, expected) => {
    const { about, code, stderr } = await check(source)
    expect(about('configuration')).toEqual([
      `✗ configuration: the function in the argument of Lib() in auth.mjs ${expected}${REST}`,
    ])
    expect([code, stderr]).toEqual([1, ''])
  })

  test('is checked for the tenant whose configuration is exported', async () => {
    const others = `export const config = { providers: [password], basePath: '/acme' }`
    const { about } = await check('(request) => byHost[request.headers.host]', 'node', others)
    expect(about('configuration')).toEqual(['✓ configuration: an export in auth.mjs.'])
    expect(about('base path')).toEqual(['✓ base path: /acme (basePath in the configuration).'])
  })

  test('is called where it is exported as config, but not where a module exports other functions', async () => {
    const config = `${PASSWORD}\nexport const authConfig = async () => ({ providers: [password] })`
    const found = await callDoctor(applicationWith({ 'auth.mjs': config }), [], ENV)
    expect(found.about('configuration')).toEqual([
      '✓ configuration: the function that is exported in auth.mjs, called without a request.',
    ])
    const factory = `export const createAuth = () => { throw new Error('called') }`
    const { about } = await callDoctor(applicationWith({ 'auth.mjs': factory }), [], ENV)
    expect(about('configuration')).toEqual([
      `✗ configuration: auth.mjs cannot be loaded: it neither calls Lib() nor exports an object with providers. The functions that it exports were not called: createAuth. → ${EXPORT_ONE}`,
    ])
  })
})

describe('without a configuration, doctor checks the environment', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['a missing module', {}, '! configuration: no auth.ts in '],
    [
      'a module without a configuration',
      { 'auth.mjs': 'export const config = { matcher: [] }' },
      '✗ configuration: auth.mjs cannot be loaded: it neither calls Lib() nor exports an object with providers.',
    ],
    [
      'a module that throws',
      { 'auth.mjs': 'throw new Error(`no connection to ${process.env.DATABASE_URL}`)' },
      '✗ configuration: auth.mjs cannot be loaded: no connection to [redacted]',
    ],
    [
      'a module in which the library throws',
      {
        'auth.mjs': `import Nodemailer from 'lib-auth/providers/nodemailer'
          export const config = { providers: [Nodemailer({})] }`,
      },
      '✗ configuration: auth.mjs cannot be loaded: Provider nodemailer has no valid server. Set server to a URL such as smtps://user:password@smtp.example.com, or to options of nodemailer.',
    ],
    [
      'a module with a missing package',
      { 'auth.mjs': 'import "not-installed"' },
      "✗ configuration: auth.mjs cannot be loaded: Cannot find package 'not-installed'",
    ],
    [
      'a module that ends the process',
      { 'auth.mjs': 'process.exit(3)' },
      '✗ configuration: auth.mjs cannot be loaded: it ended the process (exit code 3).',
    ],
    [
      'code that is not valid',
      { 'auth.ts': 'const one = 1\nexport const = {' },
      'auth.ts: x Unexpected token `=`. Expected yield, an identifier, [ or { (line 2) → ',
    ],
  ]
  test.concurrent.each(cases)('and reports %s', async (_name, files, expected) => {
    const env = {
      ...ENV,
      AUTH_SECRET: 'changeme',
      DATABASE_URL: 'postgres://ada:hunter2@db.test/app',
    }
    const { about, text, code } = await callDoctor(applicationWith(files), [], env)
    expect(about('configuration')[0]).toContain(expected)
    expect(about('configuration')[0]).toMatch(/ → .*--config <file>/)
    expect(about('secret')).toHaveLength(1)
    expect(about('origin')).toEqual(['✓ origin: https://app.test (AUTH_URL).'])
    expect(code).toBe(1)
    expect(text).not.toMatch(/hunter2|changeme/)
  })

  test('and reports that AUTH_SECRET is not set as a warning', async () => {
    const folder = applicationWith({ 'auth.mjs': 'throw new Error("no database")' })
    const { about } = await callDoctor(folder, [], { AUTH_URL: 'https://app.test' })
    expect(about('configuration')).toHaveLength(1)
    expect(about('secret')).toEqual([
      '! secret: AUTH_SECRET is not set. → Unless the configuration sets secret, run: npx lib-auth secret',
    ])
  })

  test.each([
    ['GitHub', 'lib-auth/providers/github'],
    ['Lib', 'lib-auth/next'],
    ['KyselyAdapter', 'lib-auth/adapters/kysely'],
  ])('and advises the default import instead of { %s }', async (name, source) => {
    const folder = applicationWith({
      'auth.mjs': `import { ${name} } from '${source}'
        export const config = { providers: [${name}] }`,
    })
    const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
    expect(line).toContain(
      ` does not provide an export named '${name}' → Write import ${name} from '${source}', or import type if it is a type. The remaining checks`,
    )
  })

  test.each([
    ['lib-auth/providers/gihub', 'Did you mean lib-auth/providers/github?'],
    ['lib-auth/adapters/drizle', 'Did you mean lib-auth/adapters/drizzle?'],
    ['lib-auth/providers/qqqqqqqq', 'lib-auth has no module lib-auth/providers/qqqqqqqq.'],
  ])('and suggests a module instead of %s', async (source, advice) => {
    const folder = applicationWith({
      'auth.mjs': `import Imported from '${source}'
        export const config = { providers: [Imported] }`,
    })
    const [line] = (await callDoctor(folder, [], ENV)).about('configuration')
    expect(line).toContain(` → ${advice} The remaining checks`)
  })

  test.concurrent.each([
    'await new Promise(() => {})',
    'setInterval(() => {}, 1000); await new Promise(() => {})',
  ])('reports a module that does not finish loading: %s', async (code) => {
    const folder = applicationWith({ 'auth.mjs': code })
    const { about } = await callDoctor(folder, [], ENV)
    expect(about('configuration')[0]).toContain('auth.mjs timed out after 10000 ms.')
    expect(about('secret')).toEqual(['✓ secret: AUTH_SECRET.'])
  })
})
