/** Which names of modules are replaced in code, and which texts only look like one. */
import { describe, expect, test } from 'vitest'
import { rewrite } from '../../src/cli/rewrite.ts'
import { shippedProviders } from '../../src/cli/targets.ts'

const PROVIDERS = shippedProviders()

function rewritten(source: string, file = 'auth.ts'): string {
  return rewrite(file, source, PROVIDERS).text
}

describe('modules have the name of the one that takes their place', () => {
  test.each([
    ['next-auth', 'lib-auth/next'],
    ['next-auth/react', 'lib-auth/react'],
    ['next-auth/jwt', 'lib-auth/jwt'],
    ['next-auth/adapters', 'lib-auth/adapters'],
    ['next-auth/providers', 'lib-auth/providers'],
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
  ])('%s', (from, to) => {
    expect(rewritten(`import x from '${from}'`)).toBe(`import x from '${to}'`)
  })

  test.each([
    'next-auth-helpers',
    '@auth/corex',
    '@auth/prisma-adapter',
    '@auth/express',
    './next-auth',
    '@/next-auth/react',
    'my-next-auth',
  ])('%s is somebody else’s', (name) => {
    const source = `import x from '${name}'`
    expect(rewrite('auth.ts', source, PROVIDERS)).toEqual({ text: source, changes: [], notes: [] })
  })

  test('however they are imported', () => {
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

  test('in comments that a compiler reads', () => {
    expect(rewritten('/// <reference types="next-auth" />')).toBe(
      '/// <reference types="lib-auth/next" />',
    )
    const typed = (name: string): string =>
      `/** @type {import("${name}").NextAuthConfig} */\nexport const config = {}`
    expect(rewritten(typed('next-auth'), 'auth.config.js')).toBe(typed('lib-auth/next'))
    expect(rewritten(typed('next-auth'), 'auth.config.ts')).toBe(typed('next-auth'))
  })
})

describe('what is no import stays as it is', () => {
  test.each([
    `// import NextAuth from 'next-auth'`,
    `/* import NextAuth from 'next-auth' */`,
    `/** Was \`import('next-auth')\` once. */ const x = 1`,
    `const text = "import NextAuth from 'next-auth'"`,
    `const text = 'from "next-auth"'`,
    'const text = `import NextAuth from "next-auth"`',
    "const text = `${1} import('next-auth') ${`from 'next-auth'`}`",
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
    `const found = /from 'next-auth'/.test(line)`,
    `const found = line.match(/import\\('next-auth'\\)/)`,
    `if (isOpen) /'/.exec("from 'next-auth'")`,
    `const half = a / b; // from 'next-auth'`,
  ])('%s', (source) => {
    expect(rewritten(source)).toBe(source)
  })

  test.each([
    `const page = <p>Don't write import NextAuth from 'next-auth' here</p>`,
    `const page = <p title="from 'next-auth'">it's import('next-auth')</p>`,
    `const page = <pre>{"import x from 'next-auth'"}</pre>`,
    'const page = <code>`import x from "next-auth"</code>',
    `const page = <>from 'next-auth' <br/> // import 'next-auth'</>`,
    `const page = <Docs.Note a={<b>it's</b>} {...rest}>import 'next-auth'</Docs.Note>`,
  ])('in a page: %s', (source) => {
    expect(rewritten(source, 'page.tsx')).toBe(source)
    expect(rewritten(source, 'page.jsx')).toBe(source)
  })

  test.each([
    [`const a = <p>don't</p>; const b = import('next-auth')`, 'page.tsx'],
    ['const a = <p>`</p>; const b = import("next-auth")', 'page.tsx'],
    [`const a = <T,>(x: T) => x; const s = "it's"; const b = import('next-auth')`, 'page.tsx'],
    [`const a = <T extends object>(x: T) => x; const b = import('next-auth')`, 'page.tsx'],
    [`interface A { <T>(x: T): void } const b = import('next-auth')`, 'page.tsx'],
    [`interface A { <T>(x: T, y: { z: import('next-auth').User }): void }`, 'page.tsx'],
    [`interface A { <T>(x: T): void } const s = '</p>'; import('next-auth')`, 'page.tsx'],
    [`if (isOpen) /'/.test(a); const b = import('next-auth')`, 'page.ts'],
    [`const a = <string>value; const b = import('next-auth')`, 'page.ts'],
    [`const a = b < c; const d = e > f; const g = import('next-auth')`, 'page.tsx'],
    ['const a = <A b={`${<i>it`s</i>}`} />; const b = import("next-auth")', 'page.tsx'],
    [`const a = (<A onClick={() => import('next-auth')}>{b ? <i/> : 'x'}</A>)`, 'page.tsx'],
    ['const a = `${import("next-auth")} ${ {b: `}`} }`', 'page.ts'],
    [`const a = x++ / 2; const b = import('next-auth') / 2`, 'page.ts'],
    [`const a = [/[/'"]/, /\\//]; const b = import('next-auth')`, 'page.ts'],
    [`#!/usr/bin/env node it's\nimport('next-auth')`, 'page.mjs'],
    [`const it's\nimport('next-auth')`, 'broken.ts'],
  ])('and what follows is found: %s', (source, file) => {
    expect(rewritten(source, file)).toBe(source.replace('next-auth', 'lib-auth/next'))
  })
})

describe('to the letter', () => {
  test.each([
    ['the ends of lines', "import a from 'next-auth'\r\nimport b from 'next-auth/jwt'\r\n"],
    ['a byte order mark', "\ufeffimport a from 'next-auth'\n"],
    ['no end of the last line', "const é = '𝕏'; import('next-auth')"],
  ])('%s stays as it was', (_name, source) => {
    const expected = source
      .replace('next-auth/jwt', 'lib-auth/jwt')
      .replace('next-auth', 'lib-auth/next')
    expect(rewritten(source)).toBe(expected)
  })

  test('a second time changes nothing', () => {
    const once = rewritten(`import a from 'next-auth'\nexport * from '@auth/core/jwt'`)
    expect(rewrite('auth.ts', once, PROVIDERS)).toEqual({ text: once, changes: [], notes: [] })
  })

  test('says what it did, by line', () => {
    const source = `\r\nimport a from 'next-auth'\n\nimport b from '@auth/core/jwt'`
    expect(rewrite('auth.ts', source, PROVIDERS).changes).toMatchObject([
      { line: 2, from: 'next-auth', to: 'lib-auth/next' },
      { line: 4, from: '@auth/core/jwt', to: 'lib-auth/jwt' },
    ])
  })
})
