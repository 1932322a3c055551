/** docs/guides/second-factor.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type MemoryAdapter from '../../src/adapters/memory.ts'
import { appendFacts } from '../../src/core/session/facts.ts'
import type { SecondStepOptions } from '../../src/factors.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import type { AuthConfig } from '../../src/index.ts'
import { SECRET } from '../config.ts'
import { appCode } from '../core/factors/app-code.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Actions {
  readonly begin: () => Promise<{ id: string; secret: string; qrCode: string }>
  readonly finish: (id: string, code: string) => Promise<readonly string[] | 'wrong code'>
  readonly turnOff: (id: string) => Promise<void>
}

interface Support {
  readonly resetFactors: (
    config: AuthConfig,
    userId: string,
    staffId: string,
  ) => Promise<boolean | null>
}

declare global {
  var memory: ReturnType<typeof MemoryAdapter> | undefined
}

const guide = openGuide('second-factor')

beforeAll(stubGuideEnvironment)
afterAll(() => void vi.unstubAllEnvs())

/** A user who has signed in with these methods. */
async function signedIn(name: string, amr: readonly string[]) {
  const auth = await guide.load<LibResult>('auth.ts')
  const adapter = globalThis.memory
  if (!adapter) throw new Error('The guide has no adapter.')
  const email = `${name}@example.com`
  const user =
    (await adapter.getUserByEmail(email)) ??
    (await adapter.createUser({ id: name, name, email, emailVerified: null }))
  const site = openSite(auth)
  const sessionToken = appendFacts(`session-${name}-${amr.join('')}`, {
    startedAt: Date.now(),
    via: 'github',
    amr,
    idle: 1000,
    absolute: null,
    keep: true,
  })
  const expires = new Date(Date.now() + 1e6)
  await adapter.createSession({ userId: user.id, sessionToken, expires })
  site.cookies.set('__Host-lib.session-token', sessionToken)
  return { site, adapter, userId: user.id, actions: await guide.load<Actions>('factor-actions.ts') }
}

test('a user adds an app, needs both steps to turn it off, and staff reset it', async () => {
  const { site, actions, adapter, userId } = await signedIn('ada', ['fed'])
  const { id, secret, qrCode } = await site.action(actions.begin)
  expect(qrCode).toContain('<svg')
  expect(await site.action(() => actions.finish(id, '000000'))).toBe('wrong code')
  const code = await appCode(secret)
  expect(await site.action(() => actions.finish(id, code))).toHaveLength(10)
  const location = await thrownRedirect(site.action(() => actions.turnOff(id)))
  expect(location).toContain('/step-up?stepUp=')
  const both = await signedIn('ada', ['fed', 'otp', 'mfa'])
  await both.site.action(() => both.actions.turnOff(id))
  expect(await adapter.listFactors(userId)).toEqual([])
  const again = await both.site.action(both.actions.begin)
  await both.site.action(async () => both.actions.finish(again.id, await appCode(again.secret)))
  const { resetFactors } = await guide.load<Support>('support.ts')
  const config = { adapter, providers: [], secret: SECRET, trustHost: true }
  expect(await resetFactors(config, userId, 'staff')).toBe(true)
  expect(await adapter.listFactors(userId)).toEqual([])
})

test('the options require it of staff', async () => {
  const { secondStep } = await guide.load<{ secondStep: SecondStepOptions }>('config.ts')
  const account = { provider: 'github', type: 'oauth', providerAccountId: '1' } as const
  expect(await secondStep.required?.({ user: { email: 'ada@example.com' }, account })).toBe(true)
  expect(await secondStep.required?.({ user: { email: 'eve@evil.test' }, account })).toBe(false)
})
