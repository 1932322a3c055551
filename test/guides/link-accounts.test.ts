/** docs/guides/link-accounts.md */
import { openSite } from '../frameworks/next/next-site.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { AdapterAccount } from '../../src/adapters/index.ts'
import type MemoryAdapter from '../../src/adapters/memory.ts'
import { appendFacts } from '../../src/core/session/facts.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Auth extends LibResult {
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

interface Actions {
  readonly link: (provider: string) => Promise<void>
  readonly unlink: (provider: string, id: string) => Promise<string>
  readonly deleteMe: () => Promise<void>
}

interface Accounts {
  readonly describeAccounts: () => Promise<string[]>
}

const guide = openGuide('link-accounts')

const revalidatePath = vi.hoisted(() => vi.fn())
vi.mock('next/cache', () => ({ revalidatePath }))

beforeAll(() => {
  stubGuideEnvironment()
  vi.stubEnv('AUTH_GOOGLE_ID', 'id')
  vi.stubEnv('AUTH_GOOGLE_SECRET', 'secret')
})
afterAll(() => void vi.unstubAllEnvs())

/** A signed-in user with these accounts, and the actions of the guide. */
async function userWith(name: string, accounts: readonly string[]) {
  const auth = await guide.load<Auth>('auth.ts')
  const { adapter } = auth
  const email = `${name}@example.com`
  const { id: userId } = await adapter.createUser({ id: name, name, email, emailVerified: null })
  for (const provider of accounts) {
    const account: AdapterAccount = {
      userId,
      provider,
      type: 'oauth',
      providerAccountId: `${name}-${provider}`,
    }
    await adapter.linkAccount({ ...account, access_token: 'secret' })
  }
  const site = openSite(auth)
  const expires = new Date(Date.now() + 1e6)
  const sessionToken = appendFacts(`session-${name}`, {
    startedAt: Date.now(),
    via: 'github',
    amr: ['fed'],
    idle: 1000,
    absolute: null,
    keep: true,
  })
  await adapter.createSession({ userId, sessionToken, expires })
  site.cookies.set('__Host-lib.session-token', sessionToken)
  const actions = await guide.load<Actions>('account-actions.ts')
  const { describeAccounts } = await guide.load<Accounts>('accounts.ts')
  return { site, adapter, userId, actions, describeAccounts }
}

afterEach(() => void vi.useRealTimers())

test('lists accounts without tokens, and unlinks all but the last one', async () => {
  const { site, actions, describeAccounts } = await userWith('ada', ['github', 'google'])
  expect(await site.render(describeAccounts)).toEqual(['github', 'google'])
  expect(await site.action(() => actions.unlink('github', 'ada-github'))).toBe('unlinked')
  expect(revalidatePath.mock.calls).toEqual([['/account']])
  expect(await site.action(() => actions.unlink('google', 'ada-google'))).toBe('last account')
  expect(await site.render(describeAccounts)).toEqual(['google, your only way to sign in'])
})

test('rejects the account of another user, and visitors', async () => {
  const { adapter } = await userWith('bob', ['github', 'google'])
  const { site, actions } = await userWith('eve', ['github', 'google'])
  const unlink = () => site.action(() => actions.unlink('github', 'bob-github'))
  expect(await unlink()).toBe('not linked')
  site.cookies.delete('__Host-lib.session-token')
  await expect(unlink()).rejects.toMatchObject({ type: 'SessionRequired' })
  await expect(site.action(() => actions.link('github'))).rejects.toMatchObject({
    type: 'SessionRequired',
  })
  expect(await adapter.listAccounts('bob')).toHaveLength(2)
})

test('a signed-in user is sent to the provider, and an old session to the page to confirm', async () => {
  const { site, actions } = await userWith('cleo', ['google'])
  const link = () => thrownRedirect(site.action(() => actions.link('github')))
  expect(await link()).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 961_000 })
  expect(await link()).toContain('/api/auth/step-up?stepUp=')
})

test('a user deletes themselves', async () => {
  const { site, adapter, userId, actions } = await userWith('dora', ['google'])
  expect(await thrownRedirect(site.action(() => actions.deleteMe()))).toBe('/')
  expect(await adapter.getUser(userId)).toBeNull()
  expect(await site.render(() => site.auth())).toBeNull()
})
