/** `migrate-imports` rewrites module specifiers in source code. */
import { describe, expect, test } from 'vitest'
import { shippedProviders } from '../../../src/cli/migrate-imports/replacements.ts'
import { rewrite } from '../../../src/cli/migrate-imports/rewrite.ts'

const PROVIDERS = shippedProviders()

function rewritten(source: string): string {
  return rewrite(source, PROVIDERS).text
}

describe('modules are renamed', () => {
  test.each([
    ['next-auth', 'lib-auth/next'],
    ['next-auth/react', 'lib-auth/react'],
    ['next-auth/jwt', 'lib-auth/jwt'],
    ['next-auth/adapters', 'lib-auth/adapters'],
    ['next-auth/providers', 'lib-auth/providers'],
    ['next-auth/webauthn', 'lib-auth/webauthn'],
    ['next-auth/providers/github', 'lib-auth/providers/github'],
    ['next-auth/providers/microsoft-entra-id', 'lib-auth/providers/microsoft-entra-id'],
    ['@auth/core', 'lib-auth'],
    ['@auth/core/types', 'lib-auth/types'],
    ['@auth/core/errors', 'lib-auth/errors'],
    ['@auth/core/jwt', 'lib-auth/jwt'],
    ['@auth/core/adapters', 'lib-auth/adapters'],
    ['@auth/core/providers', 'lib-auth/providers'],
    ['@auth/core/providers/google', 'lib-auth/providers/google'],
    ['@auth/core/providers/oauth', 'lib-auth/providers'],
    ['@auth/express', 'lib-auth/express'],
    ['@auth/express/types', 'lib-auth/types'],
    ['@auth/express/adapters', 'lib-auth/adapters'],
    ['@auth/express/providers/github', 'lib-auth/providers/github'],
    ['@hono/auth-js', 'lib-auth/hono'],
    ['@hono/auth-js/react', 'lib-auth/react'],
    ['@auth/sveltekit', 'lib-auth/sveltekit'],
    ['@auth/sveltekit/client', 'lib-auth/svelte'],
    ['@auth/sveltekit/providers', 'lib-auth/providers'],
    ['@auth/sveltekit/providers/github', 'lib-auth/providers/github'],
    ['@auth/solid-start/client', 'lib-auth/solid'],
    ['@auth/solid-start/adapters', 'lib-auth/adapters'],
    ['@auth/solid-start/providers/github', 'lib-auth/providers/github'],
    ['@auth/qwik/providers', 'lib-auth/providers'],
    ['@auth/qwik/providers/github', 'lib-auth/providers/github'],
  ])('%s', (from, to) => {
    expect(rewritten(`import x from '${from}'`)).toBe(`import x from '${to}'`)
  })

  test.each([
    ['@auth/sveltekit', 'does not read .env'],
    ['@auth/sveltekit/client', 'needs setSession'],
    ['@auth/sveltekit/components', 'write a form'],
    ['@auth/sveltekit/webauthn', 'has no equivalent'],
    ['@auth/solid-start', 'replaced by a middleware'],
    ['@auth/solid-start/client', 'below /api/auth'],
    ['@auth/qwik', 'replaced by Auth and getSession'],
    ['@auth/qwik/providers/passage', 'docs/providers/README.md'],
    ['auth-astro', 'replaced by lib-auth/astro'],
    ['auth-astro/server', 'auth(Astro)'],
    ['auth-astro/client', 'createClient()'],
    ['auth-astro/components', 'write forms'],
    ['auth-astro/src/config', 'has no equivalent'],
  ])('lists what else to change for %s', (name, expected) => {
    const { notes } = rewrite(`import x from '${name}'`, PROVIDERS)
    expect(notes).toEqual([{ line: 1, what: expect.stringContaining(expected) }])
  })

  test.each([...PROVIDERS])('the provider %s', (name) => {
    for (const library of ['next-auth', '@auth/core'])
      expect(rewritten(`import x from '${library}/providers/${name}'`)).toBe(
        `import x from 'lib-auth/providers/${name}'`,
      )
  })

  test.each(['azure-devops', 'instagram', 'medium', 'osso', 'passage'])(
    'the ended service %s is listed instead',
    (name) => {
      const source = `import x from 'next-auth/providers/${name}'`
      const { text, notes } = rewrite(source, PROVIDERS)
      expect(text).toBe(source)
      expect(notes).toEqual([
        { line: 1, what: expect.stringContaining('docs/providers/README.md') },
      ])
    },
  )

  test.each([
    'next-auth-helpers',
    '@auth/corex',
    '@auth/prisma-adapter',
    '@auth/express-session',
    '@hono/auth-jsx',
    './next-auth',
    '@/next-auth/react',
    'my-next-auth',
  ])('%s is not renamed', (name) => {
    const source = `import x from '${name}'`
    expect(rewrite(source, PROVIDERS)).toEqual({ text: source, changes: [], notes: [] })
  })

  test('every form of import', () => {
    const forms = (name: string): string => `
import NextAuth from '${name}'
import NextAuth, { type NextAuthConfig as C } from "${name}"
import type { Session } from '${name}'
import * as all from '${name}'
import {
  AuthError, // a comment: from 'elsewhere'
} from
  '${name}'
import'${name}'
export * from "${name}"
export * as named from '${name}'
export { default } from '${name}'
export type { User } from '${name}'
import data from '${name}' with { type: 'json' }
import old = require('${name}')
const a = await import('${name}')
const b = import(/* webpackChunkName: "x" */ '${name}')
const c = await import(\`${name}\`)
const d = require("${name}").default
const e = require.resolve('${name}')
const f = import.meta.resolve('${name}')
type G = import('${name}').Session
type H = typeof import("${name}")
declare module '${name}' {
  interface Session { user: { id: string } & DefaultSession['user'] }
}
declare module "${name}" { interface User { role: string } }
vi.mock('${name}', () => ({ useSession: vi.fn() }))
vi.mock(import('${name}'), async (original) => ({ ...(await original()) }))
vi.doMock("${name}")
const real = await vi.importActual<typeof import('${name}')>('${name}')
jest.mock('${name}')
jest.unmock('${name}')
const actual = jest.requireActual<Record<string, Map<string, () => void>>>('${name}')
jest.unstable_mockModule('${name}', () => ({}))
mock.module('${name}', { namedExports: {} })
`
    expect(rewritten(forms('next-auth'))).toBe(forms('lib-auth/next'))
  })

  test('types in comments', () => {
    expect(rewritten('/// <reference types="next-auth" />')).toBe(
      '/// <reference types="lib-auth/next" />',
    )
    const typed = (name: string): string =>
      `/** @type {import("${name}").NextAuthConfig} */\nexport const config = {}`
    expect(rewritten(typed('next-auth'))).toBe(typed('lib-auth/next'))
  })
})

describe('quoted names outside of an import are not changed', () => {
  test.each([
    `const text = 'it\\'s from \\'next-auth\\''`,
    `const list = ['next-auth', "next-auth/react"]`,
    `const map = { from: 'next-auth', import: 'next-auth' }`,
    `log(from, 'next-auth')`,
    `Array.from('next-auth')`,
    `system.import('next-auth')`,
    `loader.require('next-auth')`,
    `describe('next-auth', () => {})`,
    `module('next-auth')`,
    `jest.fn('next-auth')`,
    `vi.mock(path + 'next-auth')`,
    `import('next-auth' + path)`,
    `vi.mock('./auth', 'next-auth')`,
    `const found = line.match(/import\\('next-auth'\\)/)`,
  ])('%s', (source) => {
    expect(rewritten(source)).toBe(source)
  })
})

describe('imports are rewritten in comments, strings and markup, and after unusual syntax', () => {
  test.each([
    `// import NextAuth from 'next-auth'`,
    `const text = "import NextAuth from 'next-auth'"`,
    `const page = <p>Write import NextAuth from 'next-auth' here</p>`,
    `const a = <p>don't</p>; const b = import('next-auth')`,
    'const a = <p>`</p>; const b = import("next-auth")',
    `const a = <T,>(x: T) => x; const s = "it's"; const b = import('next-auth')`,
    `interface A { <T>(x: T, y: { z: import('next-auth').User }): void }`,
    `if (isOpen) /'/.test(a); const b = import('next-auth')`,
    'const a = <A b={`${<i>it`s</i>}`} />; const b = import("next-auth")',
    `const a = (<A onClick={() => import('next-auth')}>{b ? <i/> : 'x'}</A>)`,
    'const a = `${import("next-auth")} ${ {b: `}`} }`',
    `const a = [/[/'"]/, /\\//]; const b = import('next-auth')`,
    `#!/usr/bin/env node it's\nimport('next-auth')`,
    `const it's\nimport('next-auth')`,
  ])('%s', (source) => {
    expect(rewritten(source)).toBe(source.replace('next-auth', 'lib-auth/next'))
  })
})

describe('a file', () => {
  test.each([
    ['its line endings', "import a from 'next-auth'\r\nimport b from 'next-auth/jwt'\r\n"],
    ['its byte order mark', "\ufeffimport a from 'next-auth'\n"],
    ['a last line without line ending', "const é = '𝕏'; import('next-auth')"],
  ])('keeps %s', (_name, source) => {
    const expected = source
      .replace('next-auth/jwt', 'lib-auth/jwt')
      .replace('next-auth', 'lib-auth/next')
    expect(rewritten(source)).toBe(expected)
  })

  test('is not changed a second time', () => {
    const once = rewritten(`import a from 'next-auth'\nexport * from '@auth/core/jwt'`)
    expect(rewrite(once, PROVIDERS)).toEqual({ text: once, changes: [], notes: [] })
  })

  test('reports its changes by line', () => {
    const source = `\r\nimport a from 'next-auth'\n\nimport b from '@auth/core/jwt'`
    expect(rewrite(source, PROVIDERS).changes).toMatchObject([
      { line: 2, from: 'next-auth', to: 'lib-auth/next' },
      { line: 4, from: '@auth/core/jwt', to: 'lib-auth/jwt' },
    ])
  })
})
