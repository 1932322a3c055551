/** docs/guides/link-accounts.md */
import { openSite } from '../frameworks/next/next-site.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AdapterAccount } from '../../src/adapters/index.ts'
import type MemoryAdapter from '../../src/adapters/memory.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Auth extends LibResult {
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

interface Actions {
  readonly listAccounts: () => Promise<{ provider: string; id: string }[]>
  readonly link: (provider: string) => Promise<void>
  readonly unlink: (provider: string, id: string) => Promise<string>
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
  await adapter.createSession({ userId, sessionToken: `session-${name}`, expires })
  site.cookies.set('__Host-lib.session-token', `session-${name}`)
  return { site, actions: await guide.load<Actions>('account-actions.ts') }
}

test('lists accounts without tokens, and unlinks all but the last one', async () => {
  const { site, actions } = await userWith('ada', ['github', 'google'])
  const [github, google] = ['github', 'google'].map((id) => ({ provider: id, id: `ada-${id}` }))
  expect(await site.action(() => actions.listAccounts())).toEqual([github, google])
  expect(await site.action(() => actions.unlink('github', 'ada-github'))).toBe('unlinked')
  expect(revalidatePath.mock.calls).toEqual([['/account']])
  expect(await site.action(() => actions.unlink('google', 'ada-google'))).toBe('last account')
  expect(await site.action(() => actions.listAccounts())).toEqual([google])
})

test('rejects the account of another user, and visitors', async () => {
  await userWith('bob', ['github', 'google'])
  const { site, actions } = await userWith('eve', ['github', 'google'])
  const unlink = () => site.action(() => actions.unlink('github', 'bob-github'))
  await expect(unlink()).rejects.toThrow('not linked')
  site.cookies.delete('__Host-lib.session-token')
  await expect(unlink()).rejects.toThrow('Sign in first.')
  await expect(site.action(() => actions.link('github'))).rejects.toThrow('Sign in first.')
})

test('a signed-in user is sent to the provider', async () => {
  const { site, actions } = await userWith('cleo', ['google'])
  const url = await thrownRedirect(site.action(() => actions.link('github')))
  expect(url).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/)
})
