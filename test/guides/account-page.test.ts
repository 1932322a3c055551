/** docs/guides/account-page.md */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type MemoryAdapter from '../../src/adapters/memory.ts'
import { appendFacts } from '../../src/core/session/facts.ts'
import type { Enrollment, SecondFactors } from '../../src/factors.ts'
import type { LibResult } from '../../src/frameworks/next/index.ts'
import { hashPassword } from '../../src/password.ts'
import type { SessionPage } from '../../src/sessions.ts'
import { appCode } from '../core/factors/app-code.ts'
import { thrownRedirect } from '../frameworks/next/next-redirect.ts'
import { openSite } from '../frameworks/next/next-site.ts'
import { openGuide, stubGuideEnvironment } from './guide.ts'

interface Auth extends LibResult {
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

interface AddedApp {
  readonly app?: Enrollment
  readonly problem?: string
  readonly recoveryCodes?: readonly string[]
}

interface Actions {
  readonly unlink: (form: FormData) => Promise<void>
  readonly changePassword: (previous: undefined, form: FormData) => Promise<string>
  readonly addApp: (previous: AddedApp, form: FormData) => Promise<AddedApp>
  readonly signOutElsewhere: () => Promise<void>
  readonly deleteAccount: () => Promise<void>
}

interface Read {
  readonly readAccount: () => Promise<{
    readonly accounts: readonly object[]
    readonly secondFactors: SecondFactors
    readonly pendingEmail: object | null
    readonly devices: SessionPage
  }>
}

const guide = openGuide('account-page')

const revalidatePath = vi.hoisted(() => vi.fn())
vi.mock('next/cache', () => ({ revalidatePath }))

beforeAll(() => {
  stubGuideEnvironment()
  // GitHub revokes what the user has allowed.
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
})
afterAll(() => void vi.unstubAllEnvs())

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** A user with a password and an account, who is signed in on another device, too. */
async function signedIn(name: string, amr: readonly string[] = ['pwd']) {
  const auth = await guide.load<Auth>('auth.ts')
  const { adapter } = auth
  const email = `${name}@example.com`
  const user = { id: name, name, email, emailVerified: null }
  await adapter.createUser(user)
  await adapter.linkAccount({
    userId: name,
    provider: 'github',
    type: 'oauth',
    providerAccountId: name,
  })
  const hash = await hashPassword('violet umbrella')
  await adapter.setPassword(name, { hash, changed: new Date() })
  const site = openSite(auth)
  const expires = new Date(Date.now() + 1e6)
  const sessionToken = appendFacts(`session-${name}`, {
    startedAt: Date.now(),
    via: 'password',
    amr,
    idle: 1000,
    absolute: null,
    keep: true,
  })
  await adapter.createSession({ userId: name, sessionToken, expires })
  site.cookies.set('__Host-lib.session-token', sessionToken)
  const actions = await guide.load<Actions>('actions.ts')
  const { readAccount } = await guide.load<Read>('read-account.ts')
  return { site, adapter, actions, readAccount }
}

test('a user sees what they have, and unlinks what is not the last method', async () => {
  const { site, adapter, actions, readAccount } = await signedIn('ada')
  expect(await site.render(readAccount)).toMatchObject({
    accounts: [{ provider: 'github', isLast: false }],
    secondFactors: { apps: [], recoveryCodesLeft: 0 },
    pendingEmail: null,
  })
  const unlink = () =>
    thrownRedirect(
      site.action(() => actions.unlink(formOf({ provider: 'github', providerAccountId: 'ada' }))),
    )
  await adapter.setPassword('ada', null)
  expect(await unlink()).toBe('/account?notice=last')
  await adapter.setPassword('ada', { hash: await hashPassword('more'), changed: new Date() })
  expect(await unlink()).toBe('/account?notice=unlinked')
  expect(await adapter.listAccounts('ada')).toEqual([])
})

test('a visitor is led to the sign-in page', async () => {
  const { site, readAccount } = await signedIn('bea')
  site.cookies.delete('__Host-lib.session-token')
  expect(await thrownRedirect(site.render(readAccount))).toContain('/api/auth/signin')
})

test('a form receives what to correct, and the page the result', async () => {
  const { site, actions } = await signedIn('cleo')
  const change = (fields: Record<string, string>) =>
    site.action(() => actions.changePassword(undefined, formOf(fields)))
  expect(await change({ current: 'wrong', password: 'amber umbrella' })).toBe('current_password')
  expect(await change({ current: 'violet umbrella', password: 'short' })).toBe('too_short')
  expect(
    await thrownRedirect(change({ current: 'violet umbrella', password: 'amber umbrella' })),
  ).toBe('/account?notice=password')
})

test('a user adds an app; the next change leads to the page that confirms who they are, and back', async () => {
  const { site, actions, readAccount } = await signedIn('dora')
  const begun = await site.action(() => actions.addApp({}, new FormData()))
  expect(begun.app?.qrCode).toContain('<svg')
  const enter = (code: string) => site.action(() => actions.addApp(begun, formOf({ code })))
  expect(await enter('000000')).toEqual({ app: begun.app, problem: 'Verification' })
  const { recoveryCodes } = await enter(await appCode(begun.app?.secret ?? ''))
  expect(recoveryCodes).toHaveLength(10)
  expect(revalidatePath.mock.calls).toEqual([['/account']])
  expect((await site.render(readAccount)).secondFactors).toMatchObject({ recoveryCodesLeft: 10 })
  const url = new URL(await thrownRedirect(site.action(() => actions.deleteAccount())))
  expect(url.pathname).toBe('/api/auth/step-up')
  expect(url.searchParams.get('callbackUrl')).toBe('/account?notice=confirmed')
})

test('a user signs out elsewhere, and deletes the account', async () => {
  const { site, adapter, actions } = await signedIn('emma')
  expect(await thrownRedirect(site.action(() => actions.signOutElsewhere()))).toBe(
    '/account?notice=elsewhere',
  )
  expect(await thrownRedirect(site.action(() => actions.deleteAccount()))).toBe('/')
  expect(await adapter.getUser('emma')).toBeNull()
})
