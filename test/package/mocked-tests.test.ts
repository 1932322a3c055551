/**
 * Tests of an application that replaces modules of Next, as docs/reference/next.md describes, with the settings of
 * docs/guides/testing.md.
 */
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findFramework } from '../services.ts'
import { findBlocks } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENTS = ['docs/reference/next.md', 'docs/guides/testing.md']
const jest = await findFramework('jest')
const PEERS = ['next', 'react', 'react-dom', 'oauth4webapi']

const OTHER_TEST = `
import { beforeEach, expect, test, vi } from 'vitest'
import { auth, signIn, signOut } from './auth'

const jar = new Map<string, string>()

vi.mock('next/headers', () => ({
  cookies: async () => ({
    get: (name: string) => jar.has(name) ? { name, value: jar.get(name) } : undefined,
    set: (name: string, value: string) => void jar.set(name, value),
  }),
  headers: async () =>
    new Headers({
      host: 'localhost:3000',
      'x-forwarded-proto': 'http',
      cookie: [...jar].map(([name, value]) => name + '=' + encodeURIComponent(value)).join('; '),
    }),
}))

const redirect = vi.hoisted(() => vi.fn())
vi.mock('next/navigation', () => ({ redirect }))

beforeEach(() => jar.clear())

const ada = { username: 'ada', redirectTo: '/home' }

test('cookies() with get and set alone is enough to sign in, to read the session and to sign out', async () => {
  expect(await auth()).toBeNull()
  const url = await signIn('credentials', { ...ada, redirect: false })
  expect(url).toBe('http://localhost:3000/home')
  expect(await auth()).toMatchObject({ user: { name: 'Ada' } })
  await signOut({ redirect: false })
  expect(jar.get('lib.session-token')).toBe('')
  expect(await auth()).toBeNull()
})

test('a mock of next/navigation does not stop the redirect', async () => {
  await expect(signIn('credentials', ada)).rejects.toThrow('NEXT_REDIRECT')
  expect(redirect).not.toHaveBeenCalled()
})
`

const AUTH = `
import Lib from 'lib-auth/next'
import Credentials from 'lib-auth/providers/credentials'
export const { auth, signIn, signOut } = Lib({
  secret: '0123456789abcdef0123456789abcdef',
  providers: [
    Credentials({
      credentials: { username: {} },
      authorize: ({ username }) => ({ id: '1', name: username === 'ada' ? 'Ada' : 'Eve' }),
    }),
  ],
})
`

/** The same test for Jest, which has no `vi`, and moves mocks above variables whose names begin with `mock`. */
function forJest(code: string): string {
  return code
    .replace(/^import .* from 'vitest'\n/m, '')
    .replace(/vi\.hoisted\(\(\) => (.*)\)$/gm, '$1')
    .replace(/\bvi\./g, 'jest.')
    .replace(/\b(?:cookies|jar|redirect)\b(?=[.\s\])},])(?!:)/g, (name) => `mock_${name}`)
    .replace(/mock_(\w+)(?= })/g, (all, name: string) =>
      name === 'redirect' ? `redirect: ${all}` : all,
    )
}

interface Runner {
  /** The files of the documents that it uses. */
  readonly settings: readonly string[]
  readonly packages: Readonly<Record<string, string>>
  readonly program: string
  readonly args: readonly string[]
  readonly code: (test: string) => string
}

const BABEL = ['@babel/core', '@babel/preset-env', '@babel/preset-typescript']

/** A package of the folder in which Jest is installed. */
const ofJest = (path: string) => join(jest ?? '', 'node_modules', path)

const RUNNERS: Readonly<Record<string, Runner>> = {
  Vitest: {
    settings: ['vitest.config.ts'],
    packages: { vitest: join(ROOT, 'node_modules/vitest') },
    program: join(ROOT, 'node_modules/vitest/vitest.mjs'),
    args: ['run'],
    code: (code) => code,
  },
  'Jest with its default configuration': {
    settings: ['jest.config.js', 'babel.config.js'],
    packages: Object.fromEntries(BABEL.map((name) => [name, ofJest(name)])),
    program: ofJest('jest/bin/jest.js'),
    args: [],
    code: forJest,
  },
  'next/jest': {
    settings: ['jest.config.mjs', 'next.config.js'],
    packages: {},
    program: ofJest('jest/bin/jest.js'),
    args: [],
    code: forJest,
  },
}

const AVAILABLE = Object.entries(RUNNERS).filter(([name]) => jest !== null || name === 'Vitest')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** An application with these settings. */
function applicationFor({ settings, packages, code }: Runner): string {
  const folder = mkdtempSync(join(tmpdir(), 'lib-auth-mocked-'))
  folders.push(folder)
  const modules = join(folder, 'node_modules')
  const place = join(modules, 'lib-auth')
  mkdirSync(place, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(place, 'package.json'))
  cpSync(join(ROOT, 'dist'), join(place, 'dist'), { recursive: true })
  const links = Object.fromEntries(PEERS.map((name) => [name, join(ROOT, 'node_modules', name)]))
  for (const [name, target] of Object.entries({ ...links, ...packages })) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(target, join(modules, name), 'dir')
  }
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app" }')
  writeFileSync(join(folder, 'auth.ts'), AUTH)
  writeFileSync(join(folder, 'other.test.ts'), code(OTHER_TEST))
  for (const document of DOCUMENTS)
    for (const { file, code: block } of findBlocks(
      document,
      readFileSync(join(ROOT, document), 'utf8'),
    )) {
      if (file === 'session.test.ts') writeFileSync(join(folder, file), code(block))
      if (file !== undefined && settings.includes(file)) writeFileSync(join(folder, file), block)
    }
  return folder
}

async function output({ program, args }: Runner, cwd: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', NODE_ENV: 'test', AUTH_URL: '' }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

test.each(AVAILABLE)('%s: the documented set-up and partial mocks work', async (_, runner) => {
  const folder = applicationFor(runner)
  expect(await output(runner, folder)).toMatch(/Tests:?\s+4 passed/)
})

test.each(AVAILABLE)('%s: the documented lines are needed', async (_, runner) => {
  const folder = applicationFor(runner)
  for (const file of ['vitest.config.ts', 'next.config.js', 'jest.config.js'])
    rmSync(join(folder, file), { force: true })
  expect(await output(runner, folder)).toMatch(/Tests.*[1-4] failed|outside a module/)
})
