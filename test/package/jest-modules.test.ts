/** Jest runs ES modules without a transformation: its linker fails when modules with a common import load at the same time. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findFramework } from '../services.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const jest = await findFramework('jest')

const TEST = `
import MemoryAdapter from 'lib-auth/adapters/memory'
import { getAccessToken } from 'lib-auth'
import { browser, issuer } from 'lib-auth/testing'
import { listSessions } from 'lib-auth/sessions'

const options = {
  'sessions in cookies': {},
  'sessions in cookies that are listed': {
    store: MemoryAdapter(),
    tokens: {},
    logout: { backChannel: ['op'] },
    session: { devices: 'listed', assurance: 'kept' },
  },
  'sessions in the database': { adapter: MemoryAdapter(), tokens: {} },
}

test.each(Object.entries(options))('%s', async (_, each) => {
  const op = await issuer()
  const { url: issuerUrl, clientId, clientSecret, fetch } = op
  const errors = []
  const config = {
    secret: '0123456789abcdef0123456789abcdef',
    trustHost: true,
    fetch,
    logger: { error: (error) => errors.push(error), warn: () => {}, debug: () => {} },
    providers: [{ id: 'op', name: 'OP', type: 'oidc', issuer: issuerUrl, clientId, clientSecret }],
    ...each,
  }
  const visitor = browser(config, { issuer: op })
  await visitor.signIn('op')
  expect(errors).toEqual([])
  expect(await visitor.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
  if (!each.tokens) return
  const url = new URL('https://app.test/')
  const cookie = visitor.cookies.header({ url, method: 'GET', initiator: 'same-site' })
  const request = new Request(url, { headers: { cookie } })
  expect((await getAccessToken(request, config, 'op')).value.accessToken).toBeTruthy()
  expect((await listSessions(request, config)).value.sessions).toHaveLength(1)
})
`

const folder = mkdtempSync(join(tmpdir(), 'lib-auth-jest-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function outputOf(program: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', NODE_ENV: 'test', AUTH_URL: '' }
  const args = ['--experimental-vm-modules', '--no-warnings', program]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

test.skipIf(jest === null)('Jest signs in with ES modules', async () => {
  const place = join(folder, 'node_modules/lib-auth')
  mkdirSync(place, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(place, 'package.json'))
  cpSync(join(ROOT, 'dist'), join(place, 'dist'), { recursive: true })
  const dependency = 'node_modules/oauth4webapi'
  symlinkSync(join(ROOT, dependency), join(folder, dependency), 'dir')
  const manifest = { type: 'module', jest: { transform: {}, testEnvironment: 'node' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'sign-in.test.js'), TEST)
  const program = join(jest ?? '', 'node_modules/jest/bin/jest.js')
  expect(await outputOf(program)).toMatch(/Tests:\s+3 passed/)
})
