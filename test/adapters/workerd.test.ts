/** The sign-in flows in Cloudflare's runtime: with web standards alone, and with the modules of Node. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTables } from '../../src/cli/database/create-tables.ts'
import { decode, encode } from '../../src/jwt.ts'
import { startWorker } from '../apps/d1/index.ts'
import type { RunningWorker } from '../apps/d1/index.ts'
import { SECRET } from '../config.ts'
import { findWorkerd } from '../services.ts'
import { createAuthenticator } from '../core/flows/webauthn/authenticator.ts'
import { workerSite } from '../worker-site.ts'

/** From 2026-08-04 on, `nodejs_compat` is the default. */
const VARIANTS = [
  { name: 'an old compatibility date', compatibilityDate: '2024-01-01', hasNode: false },
  {
    name: 'an old compatibility date and the flag nodejs_compat',
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    hasNode: true,
  },
  { name: 'the newest compatibility date', compatibilityDate: '2026-11-17', hasNode: true },
]

const { outside, open } = await workerSite()

if (await findWorkerd()) describe.each(VARIANTS)('workerd with $name', testVariant)
else test.skip('without workerd')

function testVariant({ name: _name, hasNode, ...options }: (typeof VARIANTS)[number]): void {
  let folder: string
  let worker: RunningWorker | undefined
  let origin: string

  async function callWorker(path: string, input: object = {}): Promise<unknown> {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(input) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lib-auth-workerd-'))
    vi.stubEnv('TMPDIR', folder)
    worker = await startWorker(outside, { ...options, strategy: 'jwt' }).finally(() =>
      vi.unstubAllEnvs(),
    )
    origin = worker.origin
    for (const { statement } of createTables({ dialect: 'sqlite' }))
      await callWorker('/statement', { sql: statement })
  })

  afterAll(async () => {
    await worker?.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  test('has the modules of Node only with nodejs_compat', async () => {
    expect(await callWorker('/node')).toBe(hasNode)
  })

  test('signs in with a password, and signs out', async () => {
    const tab = open(origin)
    await tab.enter('ada@example.com', 'wrong')
    expect(await tab.email()).toBeUndefined()
    await tab.enter('ada@example.com')
    expect(await tab.email()).toBe('ada@example.com')
    await tab.post('signout')
    expect(await tab.email()).toBeUndefined()
    expect(await callWorker('/errors')).toEqual(['CredentialsSignin'])
  })

  test('signs in with a magic link, once', async () => {
    const [tab, other] = [open(origin), open(origin)]
    const link = await tab.requestLink('grace@example.com')
    await tab.follow(link)
    expect(await tab.email()).toBe('grace@example.com')
    expect((await other.follow(link)).location?.search).toBe('?error=Verification')
    expect(await callWorker('/errors')).toEqual(['Verification'])
  })

  test('signs in at an OpenID provider, and finds the same user again', async () => {
    const person = { sub: 'joan', email: 'joan@example.com' }
    for (const tab of [open(origin), open(origin)]) {
      await tab.signIn(person)
      expect(await tab.email()).toBe(person.email)
    }
    const users = `select count(*) as users from users where email = '${person.email}'`
    expect(await callWorker('/statement', { sql: users })).toEqual([{ users: 1 }])
    expect(await callWorker('/errors')).toEqual([])
  })

  test.each(['ES256', 'RS256', 'EdDSA'] as const)(
    'registers a passkey with %s, and signs in with it',
    async (algorithm) => {
      const passkey = createAuthenticator({ origin, algorithm })
      const email = `${algorithm.toLowerCase()}@example.com`
      const [first, second] = [open(origin), open(origin)]
      await first.usePasskey(passkey, email)
      await second.usePasskey(passkey)
      expect(await callWorker('/errors')).toEqual([])
      for (const tab of [first, second]) expect(await tab.email()).toBe(email)
    },
  )

  test('decrypts tokens of Node, and Node decrypts its tokens', async () => {
    const key = { secret: SECRET, salt: 'a salt' }
    const token = await encode({ token: { sub: 'ada' }, ...key })
    expect(await callWorker('/decode', { token })).toMatchObject({ sub: 'ada' })
    expect(await decode({ token: String(await callWorker('/encode')), ...key })).toMatchObject({
      sub: 'ada',
    })
  })
}
