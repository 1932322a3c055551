/** Tests of an application that replaces modules of Next with `vi.mock`, as docs/reference/next.md describes. */
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
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBlocks } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = 'docs/reference/next.md'
const PEERS = ['next', 'react', 'react-dom', 'oauth4webapi', 'vitest']

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

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'app', type: 'module' }),
  'auth.ts': `
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
  `,
  'other.test.ts': OTHER_TEST,
}

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-mocked-'))

beforeAll(() => {
  const place = join(folder, 'node_modules/lib-auth')
  mkdirSync(place, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(place, 'package.json'))
  cpSync(join(ROOT, 'dist'), join(place, 'dist'), { recursive: true })
  for (const name of PEERS)
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text)
  for (const { file, code } of findBlocks(DOCUMENT, readFileSync(join(ROOT, DOCUMENT), 'utf8')))
    if (file === 'vitest.config.ts' || file === 'session.test.ts')
      writeFileSync(join(folder, file), code)
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the documented set-up and partial mocks work', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, NO_COLOR: '1', NODE_ENV: 'test', AUTH_URL: '' }
  const output = await new Promise<string>((resolve) => {
    const args = [vitest, 'run', '--root', folder]
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
  expect(output).toMatch(/Tests\s+4 passed \(4\)/)
})
