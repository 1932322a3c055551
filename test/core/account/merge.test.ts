/** A user merges another one into theirs, after they have signed in as both. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mergeUser } from '../../../src/account.ts'
import type { AccountMail, AccountOptions, MergeUsersMessage } from '../../../src/account.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import type { AuthConfig } from '../../../src/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { without } from '../../database.ts'
import { testEachCall } from '../../failing-calls.ts'
import { cookieValue, pass, stopClock } from '../../sessions.ts'
import { appCode } from '../factors/app-code.ts'
import {
  ADA,
  enterCode,
  factorSite,
  factorsOf,
  locationOf,
  STRATEGIES,
} from '../factors/factor-site.ts'
import type { FactorSite, Strategy } from '../factors/factor-site.ts'
import { createAuthenticator } from '../flows/webauthn/authenticator.ts'
import { requestOf, valueOf } from './account-site.ts'

const EVE = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: true }
const BACK = 'https://app.test/account'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

interface MergeSite extends FactorSite {
  /** Of Ada, who is signed in and stays. */
  readonly tab: Browser
  /** Of Eve, who is signed in with the same provider. */
  readonly other: Browser
  readonly ada: string
  readonly eve: string
  readonly merged: MergeUsersMessage[]
  readonly sent: AccountMail[]
}

interface Options extends Partial<AuthConfig> {
  readonly mergeUsers?: AccountOptions['mergeUsers']
}

async function mergeSite(
  strategy: Strategy,
  { mergeUsers = () => undefined, ...config }: Options & { adapter?: Adapter } = {},
): Promise<MergeSite> {
  const merged: MergeUsersMessage[] = []
  const sent: AccountMail[] = []
  const session = strategy === 'jwt' ? { strategy, revocation: {} } : { strategy }
  const site = factorSite(strategy, {
    session,
    account: {
      async mergeUsers(message) {
        merged.push(message)
        await mergeUsers(message)
      },
      send: (mail) => void sent.push(mail),
    },
    ...config,
  })
  const [tab, other] = [site.open(), site.open()]
  const signIn = async () => {
    await tab.signIn('op', ADA)
    await other.signIn('op', EVE)
  }
  await signIn()
  const idOf = async ({ email }: { email: string }) => {
    const user = await site.adapter.getUserByEmail?.(email)
    const id = user?.id ?? ''
    await site.adapter.updateUser?.({ id, emailVerified: new Date(0) })
    return id
  }
  const users = { ada: await idOf(ADA), eve: await idOf(EVE) }
  await pass(1)
  await signIn()
  sent.length = 0
  site.audited.length = 0
  return { ...site, tab, other, ...users, merged, sent }
}

/** The page on which the other user signs in. */
function begin({ tab, config }: MergeSite): Promise<string> {
  return valueOf(tab, mergeUser(requestOf(tab), config, { redirectTo: '/account' }))
}

async function fieldsOf(site: MergeSite): Promise<Record<string, string>> {
  const stepUp = new URL(await begin(site)).searchParams.get('stepUp') ?? ''
  return { stepUp, callbackUrl: '/account' }
}

const accountsOf = async ({ adapter }: MergeSite, id: string) =>
  ((await adapter.listAccounts?.(id)) ?? [])
    .map(({ providerAccountId }) => providerAccountId)
    .sort()

async function ceremony(tab: Browser, action: 'register' | 'authenticate') {
  const reply = await tab.request(`webauthn-options/passkey?action=${action}`)
  return (await reply.json()).options
}

const key = createAuthenticator()

type Prove = (site: MergeSite, fields: Record<string, string>) => Promise<Response>

/** How Eve signs in, in the browser of Ada. */
const PROOFS: Record<string, Prove> = {
  'a provider': async ({ tab }, fields) => (await tab.begin('op', fields)).complete(EVE),
  async 'a magic link'({ tab, mails }, fields) {
    await tab.post('signin/email', { email: EVE.email, ...fields })
    return tab.request(mails.at(-1)?.url ?? '')
  },
  'a password': ({ tab }, fields) =>
    tab.post('callback/password', { email: EVE.email, password: 'right', ...fields }),
  async 'a passkey'({ tab }, fields) {
    const data = JSON.stringify(key.get(await ceremony(tab, 'authenticate')))
    return tab.post('callback/passkey', { action: 'authenticate', data, ...fields })
  },
}

async function addPasskey(tab: Browser): Promise<void> {
  const data = JSON.stringify(key.create(await ceremony(tab, 'register')))
  await tab.post('callback/passkey', { action: 'register', data })
}

async function enroll(site: MergeSite, tab: Browser): Promise<string> {
  const { enroll: start, confirm } = factorsOf(site, tab)
  const { id, secret } = await start()
  await confirm(id, await appCode(secret, -1))
  return secret
}

async function snapshot(site: MergeSite): Promise<string> {
  const { adapter, ada, eve } = site
  const users = [await adapter.getUser?.(ada), await adapter.getUser?.(eve)]
  const accounts = [await accountsOf(site, ada), await accountsOf(site, eve)]
  return JSON.stringify([users, accounts, await adapter.listAuthenticatorsByUserId?.(eve)])
}

describe.each(STRATEGIES)('with the strategy %s', (strategy) => {
  test.each(Object.entries(PROOFS))(
    '%s of the other user moves everything to the user of the session',
    async (name, prove) => {
      const site = await mergeSite(strategy)
      const { tab, other, adapter, ada, eve } = site
      if (name === 'a passkey') await addPasskey(other)
      const before = cookieValue(tab)
      const response = await prove(site, await fieldsOf(site))
      expect(locationOf(response)).toBe(BACK)
      expect(await adapter.getUser?.(eve)).toBeNull()
      expect(await accountsOf(site, ada)).toEqual(expect.arrayContaining(['ada', 'eve']))
      expect(site.merged).toMatchObject([{ from: { id: eve }, into: { id: ada } }])
      // The session is the one from before.
      expect(cookieValue(tab)).toBe(before)
      expect((await tab.session())?.user?.email).toBe(ADA.email)
      expect(await other.session()).toBeNull()
      expect(site.audited.at(-1)).toMatchObject({
        type: 'user.merged',
        actor: { kind: 'user', id: ada },
        target: { kind: 'user', id: eve },
      })
      expect(site.sent.map(({ to, kind }) => [to, kind])).toEqual(
        expect.arrayContaining([
          [ADA.email, 'notice'],
          [EVE.email, 'notice'],
        ]),
      )
      // What signed Eve in signs Ada in.
      await other.signIn('op', EVE)
      expect((await other.session())?.user?.email).toBe(ADA.email)
    },
  )

  test('the passkeys of the other user sign in the one who stays', async () => {
    const site = await mergeSite(strategy)
    await addPasskey(site.other)
    await PROOFS['a provider']?.(site, await fieldsOf(site))
    const data = JSON.stringify(key.get(await ceremony(site.other, 'authenticate')))
    await site.other.post('callback/passkey', { action: 'authenticate', data })
    expect((await site.other.session())?.user?.email).toBe(ADA.email)
  })

  test('the second step of the other user is asked for', async () => {
    const site = await mergeSite(strategy)
    const secret = await enroll(site, site.other)
    const fields = await fieldsOf(site)
    const before = await snapshot(site)
    const held = await PROOFS['a password']?.(site, fields)
    expect(held && locationOf(held)).toContain('/auth/step-up')
    expect(await snapshot(site)).toBe(before)
    expect(site.merged).toEqual([])
    expect((await site.tab.session())?.user?.email).toBe(ADA.email)
    await enterCode(site.tab, '000000')
    expect(await snapshot(site)).toBe(before)
    expect(locationOf(await enterCode(site.tab, await appCode(secret)))).toBe(BACK)
    expect(await site.adapter.getUser?.(site.eve)).toBeNull()
    expect((await site.tab.session())?.user?.email).toBe(ADA.email)
  })

  test('an older session confirms its user first, and one of a user with two steps both', async () => {
    const site = await mergeSite(strategy)
    await pass(16 * 60)
    await expect(begin(site)).rejects.toMatchObject({ type: 'StepUpRequired' })
    await site.tab.signIn('op', ADA)
    await begin(site)
    const { adapter, ada } = site
    await adapter.createFactor?.({
      id: 'f',
      userId: ada,
      type: 'totp',
      secret: 'x',
      name: null,
      lastStep: null,
      confirmed: true,
      created: new Date(),
    })
    await expect(begin(site)).rejects.toMatchObject({ type: 'StepUpRequired' })
  })

  const REJECTED: Record<string, [prove: Prove, code: string]> = {
    'the same user': [
      async ({ tab }, fields) => (await tab.begin('op', fields)).complete(ADA),
      'same_user',
    ],
    'the same user by a magic link': [
      async ({ tab, mails }, fields) => {
        await tab.post('signin/email', { email: ADA.email, ...fields })
        return tab.request(mails.at(-1)?.url ?? '')
      },
      'same_user',
    ],
    'an account that no user has': [
      async ({ tab }, fields) =>
        (await tab.begin('op', fields)).complete({ sub: 'new', email: 'new@example.com' }),
      'other_user',
    ],
    'an account that no user has, with the address of the other user': [
      async ({ tab }, fields) => (await tab.begin('op', fields)).complete({ ...EVE, sub: 'new' }),
      'other_user',
    ],
    'an address that no user has': [
      async ({ tab, mails }, fields) => {
        await tab.post('signin/email', { email: 'new@example.com', ...fields })
        return tab.request(mails.at(-1)?.url ?? '')
      },
      'other_user',
    ],
  }
  test.each(Object.entries(REJECTED))('%s changes nothing', async (_name, [prove, code]) => {
    const site = await mergeSite(strategy)
    const before = await snapshot(site)
    const response = await prove(site, await fieldsOf(site))
    const to = new URL(locationOf(response) ?? '')
    expect([to.pathname, to.searchParams.get('code')]).toEqual(['/auth/step-up', code])
    expect(await snapshot(site)).toBe(before)
    for (const email of ['new@example.com'])
      expect(await site.adapter.getUserByEmail?.(email)).toBeNull()
    // The page says why, and lets the user try again.
    const html = await (await site.tab.request(to.href)).text()
    expect(html).toContain('Sign in with the other account')
    expect(html).toContain(code === 'same_user' ? 'the same account' : 'No other account')
    const [, stepUp = ''] = /name="stepUp"\s+value="([^"]+)"/.exec(html) ?? []
    const again = await PROOFS['a provider']?.(site, { stepUp, callbackUrl: '/account' })
    expect(again && locationOf(again)).toBe(BACK)
    expect(await site.adapter.getUser?.(site.eve)).toBeNull()
  })

  test('an error of account.mergeUsers rolls everything back, and the user can try again', async () => {
    let isDown = true
    const site = await mergeSite(strategy, {
      mergeUsers() {
        if (isDown) throw new Error('Orders are locked.')
      },
    })
    await addPasskey(site.other)
    const before = await snapshot(site)
    const fields = await fieldsOf(site)
    const response = await PROOFS['a provider']?.(site, fields)
    expect(response && locationOf(response)).toContain('error=AccountMergeError')
    expect(await snapshot(site)).toBe(before)
    const html = await (await site.tab.request((response && locationOf(response)) ?? '')).text()
    expect(html).toContain('nothing has changed')
    expect(html).not.toContain('Orders')
    const failures = site.audited.filter(({ outcome }) => outcome !== 'success')
    expect(failures).toMatchObject([
      {
        type: 'user.merged',
        outcome: 'failure',
        reason: 'AccountMergeError',
        actor: { kind: 'user', id: site.ada },
        target: { kind: 'user', id: site.eve },
      },
    ])
    isDown = false
    await PROOFS['a provider']?.(site, fields)
    expect(await site.adapter.getUser?.(site.eve)).toBeNull()
  })

  test('expires after ten minutes, also if the sign-in began before', async () => {
    const site = await mergeSite(strategy)
    const fields = await fieldsOf(site)
    await pass(9 * 60)
    const sign = await site.tab.begin('op', fields)
    await pass(60 + 1)
    const response = await sign.complete(EVE)
    expect(locationOf(response)).toContain('error=InvalidCheck')
    expect(await site.adapter.getUser?.(site.eve)).not.toBeNull()
  })

  test('ends with the session in which it began', async () => {
    const site = await mergeSite(strategy)
    const sign = await site.tab.begin('op', await fieldsOf(site))
    await site.tab.signIn('op', ADA)
    const before = await snapshot(site)
    expect(locationOf(await sign.complete(EVE))).toContain('error=InvalidCheck')
    expect(await snapshot(site)).toBe(before)
  })

  test('a step-up that is no merge does not merge', async () => {
    const site = await mergeSite(strategy)
    const page = await (await site.tab.request('step-up')).text()
    const [, stepUp = ''] = /name="stepUp"\s+value="([^"]+)"/.exec(page) ?? []
    expect(stepUp).not.toBe('')
    const before = await snapshot(site)
    const response = await PROOFS['a provider']?.(site, { stepUp, callbackUrl: '/account' })
    expect(response && locationOf(response)).toContain('error=StepUpRequired')
    expect(await snapshot(site)).toBe(before)
  })
})

test('the page asks for the other account, and offers each sign-in method', async () => {
  const site = await mergeSite('jwt')
  const html = await (await site.tab.request(await begin(site))).text()
  expect(html).toContain('You are signed in as <strong>')
  expect(html).toContain('The other account is deleted.')
  for (const method of ['signin/op', 'signin/email', 'callback/password', 'callback/passkey'])
    expect(html).toContain(`/auth/${method}"`)
  expect(html).toMatch(/<input [^>]*name="email"/)
  // Cancel leads back to the account.
  expect(html).toContain(`href="${BACK}"`)
})

test('a page of the application receives purpose=merge, also after a failure', async () => {
  const site = await mergeSite('jwt', { pages: { stepUp: '/confirm' } })
  const page = new URL(await begin(site))
  expect([page.pathname, page.searchParams.get('purpose')]).toEqual(['/confirm', 'merge'])
  const stepUp = page.searchParams.get('stepUp') ?? ''
  const failed = await (await site.tab.begin('op', { stepUp })).complete(ADA)
  const again = new URL(locationOf(failed) ?? '')
  expect([again.pathname, again.searchParams.get('purpose')]).toEqual(['/confirm', 'merge'])
})

test('without the function of the application, or an adapter with transactions, account.merge is an error', async () => {
  const site = await mergeSite('jwt', { account: {} })
  await expect(begin(site)).rejects.toThrow('account.mergeUsers')
  const adapter = without(MemoryAdapter(), 'transaction')
  await expect(begin(await mergeSite('jwt', { adapter }))).rejects.toThrow('transaction')
})

test('of two merges at the same time, one succeeds', async () => {
  const site = await mergeSite('database')
  const fields = await fieldsOf(site)
  const both = await Promise.all([1, 2].map(() => PROOFS['a password']?.(site, fields)))
  expect(site.merged).toHaveLength(1)
  expect(both.map((each) => each && locationOf(each))).toContain(BACK)
  expect(await accountsOf(site, site.ada)).toEqual(['ada', 'eve'])
})

/** Calls `run` once it is set, between the checks of a merge and its transaction. */
function pausedAdapter() {
  const inner = MemoryAdapter()
  const pause: { run?: () => Promise<unknown> } = {}
  const transaction: Adapter['transaction'] = async (work) => {
    const { run } = pause
    delete pause.run
    await run?.()
    return inner.transaction?.(work)
  }
  return { pause, adapter: { ...inner, transaction } }
}

test('nothing is moved to a user whose address its owner verifies during the merge', async () => {
  const { pause, adapter } = pausedAdapter()
  const site = await mergeSite('database', { adapter })
  const { ada, eve } = site
  await adapter.updateUser?.({ id: ada, emailVerified: null })
  await site.tab.signIn('op', ADA)
  const owner = site.open()
  pause.run = async () => {
    await owner.post('signin/email', { email: ADA.email })
    await owner.request(site.mails.at(-1)?.url ?? '')
  }
  const response = await PROOFS['a password']?.(site, await fieldsOf(site))
  expect(response && locationOf(response)).toContain('error=AccountMergeError')
  expect((await owner.session())?.user?.email).toBe(ADA.email)
  expect(await accountsOf(site, ada)).toEqual([])
  expect(await accountsOf(site, eve)).toEqual(['eve'])
})

test('a user whose address its owner verifies during the merge is not deleted', async () => {
  const { pause, adapter } = pausedAdapter()
  const site = await mergeSite('database', { adapter })
  const { eve } = site
  await adapter.updateUser?.({ id: eve, emailVerified: null })
  const owner = site.open()
  pause.run = async () => {
    await owner.post('signin/email', { email: EVE.email })
    await owner.request(site.mails.at(-1)?.url ?? '')
  }
  await PROOFS['a password']?.(site, await fieldsOf(site))
  expect(await adapter.getUser?.(eve)).not.toBeNull()
  expect((await owner.session())?.user?.email).toBe(EVE.email)
})

test('a merge whose commit is confirmed too late is reported as one', async () => {
  const inner = MemoryAdapter()
  let isLost = false
  const adapter: Adapter = {
    ...inner,
    async transaction(work) {
      const result = await inner.transaction?.(work)
      if (isLost) throw new Error('The connection was closed.')
      return result
    },
  }
  const site = await mergeSite('database', { adapter })
  const fields = await fieldsOf(site)
  isLost = true
  const response = await PROOFS['a password']?.(site, fields)
  expect(response && locationOf(response)).toBe(BACK)
  expect(await accountsOf(site, site.ada)).toEqual(['ada', 'eve'])
  expect(site.audited.map(({ type }) => type)).toContain('user.merged')
  expect(site.sent.map(({ to }) => to).sort()).toEqual([ADA.email, EVE.email])
})

test('a merge that is repeated after a conflict, and then finds no user, is not reported as one', async () => {
  const inner = MemoryAdapter()
  const deleted: string[] = []
  const adapter: Adapter = {
    ...inner,
    async transaction(work) {
      if (deleted.length === 0) return inner.transaction?.(work)
      const rolledBack = inner.transaction?.(async (each) => {
        await work(each)
        throw new Error('Another transaction has changed a row.')
      })
      await Promise.resolve(rolledBack).catch(() => undefined)
      for (const id of deleted) await inner.deleteUser?.(id)
      return inner.transaction?.(work)
    },
  }
  const site = await mergeSite('database', { adapter })
  const fields = await fieldsOf(site)
  deleted.push(site.eve)
  const response = await PROOFS['a password']?.(site, fields)
  expect(response && locationOf(response)).toContain('error=AccountMergeError')
  expect(site.sent).toEqual([])
})

test('two users who are merged into each other at the same time do not both disappear', async () => {
  const inner = MemoryAdapter()
  let waiting: (() => void)[] = []
  /** Both merges are allowed before one of them ends sessions. */
  const adapter: Adapter = {
    ...inner,
    async deleteUserSessions(...args) {
      if (waiting.length > 0)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length > 2) for (const go of waiting.splice(0)) go()
        })
      return inner.deleteUserSessions?.(...args)
    },
  }
  const site = await mergeSite('database', { adapter })
  const { ada, eve, tab, other, config } = site
  for (const providerAccountId of ['ada', 'eve'])
    await adapter.unlinkAccount?.({ provider: 'op', providerAccountId })
  const fields = await fieldsOf(site)
  const url = await valueOf(other, mergeUser(requestOf(other), config, { redirectTo: '/' }))
  const stepUp = new URL(url).searchParams.get('stepUp') ?? ''
  waiting = [() => undefined]
  await Promise.all([
    tab.post('callback/password', { email: EVE.email, password: 'right', ...fields }),
    other.post('callback/password', { email: ADA.email, password: 'right', stepUp }),
  ])
  const left = [await adapter.getUser?.(ada), await adapter.getUser?.(eve)]
  expect(left.filter(Boolean)).toHaveLength(1)
})

/** What a user can sign in with, and whether they exist. */
async function heldBy(site: MergeSite, id: string): Promise<string> {
  const { adapter } = site
  const passkeys = (await adapter.listAuthenticatorsByUserId?.(id)) ?? []
  return JSON.stringify([
    (await adapter.getUser?.(id)) !== null,
    await accountsOf(site, id),
    passkeys.map(({ credentialID }) => credentialID),
  ])
}

testEachCall('everything is moved or nothing, and the user can repeat it', async (failing) => {
  const { adapter, stored } = failing
  const site = { ...(await mergeSite('jwt', { adapter })), adapter: stored }
  await addPasskey(site.other)
  const before = [await heldBy(site, site.ada), await heldBy(site, site.eve)]
  const fields = await fieldsOf(site)
  failing.start()
  const response = await PROOFS['a password']?.(site, fields)
  failing.stop()
  const isMerged = (await stored.getUser(site.eve)) === null
  if (isMerged) {
    expect(await accountsOf(site, site.ada)).toEqual(expect.arrayContaining(['ada', 'eve']))
    expect(await heldBy(site, site.eve)).toBe('[false,[],[]]')
  } else {
    expect([await heldBy(site, site.ada), await heldBy(site, site.eve)]).toEqual(before)
    expect(response && locationOf(response)).toContain('error=')
    await PROOFS['a password']?.(site, await fieldsOf(site))
    expect(await stored.getUser(site.eve)).toBeNull()
  }
  expect(await stored.listAuthenticatorsByUserId(site.ada)).toHaveLength(1)
})
