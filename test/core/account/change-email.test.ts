/** Users change their e-mail address. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cancelEmail, changeEmail, pendingEmail } from '../../../src/account.ts'
import type { AccountMail } from '../../../src/account.ts'
import MemoryAdapter from '../../../src/adapters/memory.ts'
import type { Adapter } from '../../../src/adapters/index.ts'
import type { Attempt } from '../../../src/core/config/protection-options.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { browser } from '../../../src/testing/index.ts'
import type { Browser } from '../../../src/testing/index.ts'
import { oidc } from '../../config.ts'
import { down, errorTypes, lost, once, without } from '../../database.ts'
import { hiddenFields } from '../../email.ts'
import { pass, stopClock } from '../../sessions.ts'
import { accountSite, op, requestOf, valueOf } from './account-site.ts'

afterEach(() => vi.useRealTimers())

const NEW = 'ada@new.example'
const OLD = 'ada@example.com'
const FAILED = 'https://app.test/auth/error?error=AddressChangeError'

interface Options {
  readonly config?: Omit<Partial<AuthConfig>, 'callbacks'>
  readonly adapter?: Adapter
  readonly verified?: boolean
}

/** Ada has signed in; her address is verified. */
async function site({ config = {}, adapter, verified = true }: Options = {}) {
  const mails: AccountMail[] = []
  const send = (mail: AccountMail) => void mails.push(mail)
  const opened = await accountSite({
    ...(adapter && { adapter }),
    config: {
      session: { strategy: 'database' },
      ...config,
      account: { send, ...config.account },
    },
  })
  await opened.stored.updateUser?.({
    id: opened.userId,
    emailVerified: verified ? new Date('2026-01-01') : null,
  })
  const { tab } = opened
  await tab.post('signout')
  await tab.signIn('op')
  opened.audited.length = 0
  const change = (to: string = NEW, from: Browser = tab) =>
    valueOf(from, changeEmail(requestOf(from), opened.config, to))
  const user = () => opened.stored.getUser?.(opened.userId)
  return { ...opened, mails, change, user, open: () => browser(opened.config, { issuer: op }) }
}

type Site = Awaited<ReturnType<typeof site>>

function linkOf(mails: readonly AccountMail[], to: string): string {
  const url = mails.findLast((mail) => mail.to === to)?.url
  if (url === undefined) throw new Error(`No link was sent to ${to}.`)
  return url
}

/** Opens a link and presses the button; returns the last response. */
async function confirm(tab: Browser, link: string): Promise<Response> {
  const page = await tab.request(link, { initiator: 'cross-site' })
  if (page.status !== 200) return page
  return press(tab, await page.text())
}

function press(tab: Browser, html: string): Promise<Response> {
  const [, action = ''] = /<form action="([^"]*)"/.exec(html) ?? []
  return tab.request(action, { method: 'POST', form: hiddenFields(html) })
}

const place = (response: Response) => response.headers.get('location')

async function titleOf(response: Response): Promise<string | undefined> {
  return /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1]
}

/** Both mailboxes confirm. */
async function changeBoth({ change, mails, tab }: Pick<Site, 'change' | 'mails' | 'tab'>) {
  await change()
  await confirm(tab, linkOf(mails, NEW))
  return confirm(tab, linkOf(mails, OLD))
}

const STRATEGIES = [
  ['database', { session: { strategy: 'database' } }],
  ['jwt', { session: { strategy: 'jwt', revocation: {} } }],
  ['jwt without revocation', { session: { strategy: 'jwt' } }],
] as const

describe.each(STRATEGIES)('a change with sessions of the strategy %s', (_title, config) => {
  test.each([
    ['new, current', [NEW, OLD]],
    ['current, new', [OLD, NEW]],
  ])('needs both mailboxes, in the order %s', async (_order, [first = '', second = '']) => {
    const { mails, tab, change, user, ...opened } = await site({ config })
    expect(await change()).toMatchObject({ to: NEW, awaits: ['current', 'new'] })
    expect(mails.map(({ kind, to }) => `${kind} ${to}`).sort()).toEqual([
      `address-change ${OLD}`,
      `address-change ${NEW}`,
    ])
    const waiting = await confirm(tab, linkOf(mails, first))
    expect(await titleOf(waiting)).toBe('One more confirmation')
    expect(await user()).toMatchObject({ email: OLD })
    const pending = await valueOf(tab, pendingEmail(requestOf(tab), opened.config))
    expect(pending?.awaits).toEqual([first === NEW ? 'current' : 'new'])
    const changed = await confirm(tab, linkOf(mails, second))
    expect(await titleOf(changed)).toBe('The e-mail address has changed')
    const after = await user()
    expect(after?.email).toBe(NEW)
    expect(after?.emailVerified?.getTime()).toBeGreaterThan(Date.parse('2026-01-01'))
    expect(await valueOf(tab, pendingEmail(requestOf(tab), opened.config))).toBeNull()
    expect((await tab.session())?.user).toBeDefined()
    expect(errorTypes(opened.log)).toEqual([])
    expect(opened.audited.map(({ type }) => type)).toEqual(['address.requested', 'address.changed'])
  })
})

describe('a change', () => {
  test('ends the other sessions, and the links of both addresses', async () => {
    const opened = await site()
    const phone = opened.open()
    await phone.signIn('op')
    for (const identifier of [NEW, OLD])
      await opened.stored.createVerificationToken?.({
        identifier,
        token: `hash of ${identifier}`,
        expires: new Date(Date.now() + 1e6),
      })
    await changeBoth(opened)
    expect(await phone.session()).toBeNull()
    expect(await opened.tab.session()).not.toBeNull()
    for (const identifier of [NEW, OLD])
      expect(
        await opened.stored.useVerificationToken?.({ identifier, token: `hash of ${identifier}` }),
      ).toBeNull()
  })

  test('keeps the session that requested it when the mails are opened in another browser', async () => {
    const opened = await site()
    const phone = opened.open()
    await opened.change()
    await confirm(phone, linkOf(opened.mails, OLD))
    await confirm(phone, linkOf(opened.mails, NEW))
    expect(await opened.user()).toMatchObject({ email: NEW })
    expect(await opened.tab.session()).not.toBeNull()
  })

  test('is not made by a program that opens the links', async () => {
    const { change, mails, user, open, ...opened } = await site()
    await change()
    const scanner = open()
    opened.called()
    for (const link of [linkOf(mails, NEW), linkOf(mails, OLD)])
      for (const method of ['GET', 'HEAD', 'GET'] as const) {
        const response = await scanner.request(link, { method, initiator: 'cross-site' })
        expect(response.status).toBe(200)
        expect(response.headers.get('cache-control')).toBe('private, no-store')
        expect(response.headers.get('referrer-policy')).toBe('strict-origin')
        expect(response.headers.get('x-robots-tag')).toBe('noindex')
      }
    expect(opened.called().filter((method) => /write|update|delete|create/.test(method))).toEqual(
      [],
    )
    expect(await user()).toMatchObject({ email: OLD })
    // Both links are still valid.
    await confirm(opened.tab, linkOf(mails, NEW))
    await confirm(opened.tab, linkOf(mails, OLD))
    expect(await user()).toMatchObject({ email: NEW })
  })

  test('is not made without the CSRF token of the browser', async () => {
    const { change, mails, user, open } = await site()
    await change()
    const [token] = [new URL(linkOf(mails, NEW)).searchParams.get('token') ?? '']
    const attacker = open()
    for (const csrfToken of ['', 'x'])
      await attacker.request('https://app.test/auth/confirm', {
        method: 'POST',
        form: { token, csrfToken },
        initiator: 'cross-site',
      })
    await confirm(open(), linkOf(mails, OLD))
    expect(await user()).toMatchObject({ email: OLD })
  })

  test('is made once by a double click, and by a replay', async () => {
    const { change, mails, tab, user, audited } = await site()
    await change()
    await confirm(tab, linkOf(mails, NEW))
    const page = await (await tab.request(linkOf(mails, OLD), { initiator: 'cross-site' })).text()
    const answers = await Promise.all([press(tab, page), press(tab, page), press(tab, page)])
    for (const answer of answers)
      expect(await titleOf(answer)).toBe('The e-mail address has changed')
    await press(tab, page)
    expect(await user()).toMatchObject({ email: NEW })
    expect(mails.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
    expect(audited.filter(({ type }) => type === 'address.changed')).toHaveLength(1)
  })

  test('is made by confirmations of both mailboxes at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { change, mails, tab, user, open } = await site()
      await change()
      const other = open()
      await Promise.all([confirm(tab, linkOf(mails, NEW)), confirm(other, linkOf(mails, OLD))])
      expect(await user()).toMatchObject({ email: NEW })
      expect(mails.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
    }
  })

  test('is replaced by a later one, whose links alone are valid', async () => {
    const { change, mails, tab, user } = await site()
    await change('ada@first.example')
    const before = [linkOf(mails, 'ada@first.example'), linkOf(mails, OLD)]
    await change()
    for (const link of before) expect(place(await confirm(tab, link))).toBe(FAILED)
    await confirm(tab, linkOf(mails, NEW))
    await confirm(tab, linkOf(mails, OLD))
    expect(await user()).toMatchObject({ email: NEW })
  })

  test('of two requested at once, one can be confirmed', async () => {
    const { change, mails, tab, user } = await site()
    await Promise.all([change('ada@one.example'), change('ada@two.example')])
    const links = mails.flatMap(({ to, url = '' }) => (to === OLD ? [] : url))
    const confirmed = mails.flatMap(({ to, url = '' }) => (to === OLD ? url : []))
    for (const link of [...links, ...confirmed]) await confirm(tab, link)
    expect((await user())?.email).toMatch(/^ada@(?:one|two)\.example$/)
    expect(mails.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
  })

  test('tells onAttempt which user causes the mail, so that a rule for visitors does not apply', async () => {
    const attempts: (Attempt['userId'] | undefined)[] = []
    const onAttempt = ({ kind, userId }: Attempt) => {
      attempts.push(kind === 'mail' ? userId : undefined)
      return userId === null ? 'challenge' : 'allow'
    }
    const { change, mails, userId } = await site({ config: { protection: { onAttempt } } })
    await change()
    expect(attempts).toEqual([userId])
    expect(mails.map(({ to }) => to).sort()).toEqual([NEW, OLD].sort())
  })

  test('can be cancelled', async () => {
    const { change, mails, tab, user, config } = await site()
    await change()
    await confirm(tab, linkOf(mails, NEW))
    expect(await valueOf(tab, cancelEmail(requestOf(tab), config))).toBe(true)
    expect(await valueOf(tab, cancelEmail(requestOf(tab), config))).toBe(false)
    expect(place(await confirm(tab, linkOf(mails, OLD)))).toBe(FAILED)
    expect(await user()).toMatchObject({ email: OLD })
  })

  test('expires after an hour', async () => {
    stopClock()
    const { change, mails, tab, user } = await site()
    await change()
    await confirm(tab, linkOf(mails, NEW))
    await pass(3600 + 16)
    expect(place(await confirm(tab, linkOf(mails, OLD)))).toBe(FAILED)
    expect(await user()).toMatchObject({ email: OLD })
  })

  test('needs only the new mailbox if the current address is not verified, and is not undone', async () => {
    const { change, mails, tab, user } = await site({ verified: false })
    expect((await change()).awaits).toEqual(['new'])
    await confirm(tab, linkOf(mails, NEW))
    expect(await user()).toMatchObject({ email: NEW })
    expect(mails.map(({ to }) => to)).toEqual([NEW])
  })

  test('verifies an address that is not verified', async () => {
    const { change, mails, tab, user } = await site({ verified: false })
    expect((await change(OLD)).awaits).toEqual(['new'])
    await confirm(tab, linkOf(mails, OLD))
    expect((await user())?.emailVerified).toBeInstanceOf(Date)
    expect(mails).toHaveLength(1)
  })

  test('adds a first address', async () => {
    const { change, mails, tab, user, stored, userId } = await site()
    await stored.updateUser?.({ id: userId, email: null as never, emailVerified: null })
    expect((await change()).awaits).toEqual(['new'])
    await confirm(tab, linkOf(mails, NEW))
    expect(await user()).toMatchObject({ email: NEW })
    expect(mails.map(({ to }) => to)).toEqual([NEW])
  })

  test('with changeEmail: "new" needs two factors, and only the new mailbox', async () => {
    const opened = await site({ config: { account: { changeEmail: 'new' } } })
    await expect(opened.change()).rejects.toMatchObject({ type: 'StepUpRequired' })
    expect(opened.mails).toEqual([])
    const weak = await site({ config: { account: { changeEmail: 'new' } }, verified: false })
    expect((await weak.change()).awaits).toEqual(['new'])
  })

  test.each([
    ['no address', 'ada'],
    ['two addresses', 'ada@new.example,eve@example.com'],
    ['a header', 'ada@new.example\r\nBcc: eve@example.com'],
    ['the address of the user', ' ADA@Example.com '],
    ['nothing', ''],
  ])('to %s is refused', async (_title, to) => {
    const { change, mails } = await site()
    await expect(change(to)).rejects.toMatchObject({ type: 'InvalidRequest' })
    expect(mails).toEqual([])
  })

  test('to another spelling of a new address is one change', async () => {
    const { change, mails } = await site()
    expect((await change(' Ada@NEW.example ')).to).toBe(NEW)
    expect(linkOf(mails, NEW)).toMatch(/^https:/)
  })

  test('needs a recent sign-in, and a request of the site', async () => {
    stopClock()
    const { change, mails, tab, config } = await site()
    const headers = { origin: 'https://attacker.test', 'sec-fetch-site': 'cross-site' }
    await expect(changeEmail(requestOf(tab, headers), config, NEW)).rejects.toMatchObject({
      type: 'MissingCSRF',
    })
    await pass(901)
    await expect(change()).rejects.toMatchObject({ type: 'StepUpRequired' })
    expect(mails).toEqual([])
  })

  test('needs a way to send mails, records, and updateUser', async () => {
    const silent = await accountSite()
    await expect(changeEmail(requestOf(silent.tab), silent.config, NEW)).rejects.toThrow(
      'account.changeEmail sends e-mails, and nothing sends them. Set account: { send }',
    )
    const records = ['readRecords', 'listRecords', 'writeRecord', 'deleteRecords'] as const
    const forgetful = await site({ adapter: without(MemoryAdapter(), ...records) })
    await expect(forgetful.change()).rejects.toThrow('account.changeEmail needs records')
  })

  test('is limited per user and per recipient', async () => {
    const { change, mails, audited } = await site({ config: { protection: {} } })
    for (let at = 0; at < 5; at++) await change()
    // Three mails to the new address, but the responses are the same.
    expect(mails.filter(({ to }) => to === NEW)).toHaveLength(3)
    await expect(change('ada@other.example')).rejects.toMatchObject({ type: 'TooManyAttempts' })
    const limits = audited.filter(({ type }) => type === 'attempt.limited')
    expect(limits.map(({ limit }) => limit)).toEqual(['mail', 'mail', 'emailChange'])
  })

  test('whose mail cannot be sent is not pending', async () => {
    const { change, tab, config, log } = await site({ config: { account: { send: down } } })
    await expect(change()).rejects.toMatchObject({ type: 'AccountMailError' })
    expect(await valueOf(tab, pendingEmail(requestOf(tab), config))).toBeNull()
    expect(errorTypes(log)).toContain('AccountMailError')
  })
})

describe('an address that another user has', () => {
  async function withOwner() {
    const opened = await site()
    await opened.stored.createUser?.({ id: 'eve', email: NEW, emailVerified: new Date() })
    return opened
  }

  test('has the same response, mails and calls of the adapter', async () => {
    const seen = []
    for (const open of [site, withOwner]) {
      const { change, mails, called } = await open()
      called()
      const { to, awaits } = await change()
      const sorted = mails.sort((one, other) => (one.to < other.to ? -1 : 1))
      const shown = sorted.map(({ to: recipient, subject, text, html, kind }) => [
        [recipient, kind, subject],
        text.replace(/token=\S+/, ''),
        html.replace(/token=[^"]+/, ''),
      ])
      seen.push({ to, awaits, shown, calls: called() })
    }
    expect(seen[1]).toEqual(seen[0])
  })

  test('is refused by the last link', async () => {
    const opened = await withOwner()
    expect(place(await changeBoth(opened))).toBe(FAILED)
    expect(await opened.user()).toMatchObject({ email: OLD })
    expect(await opened.stored.getUser?.('eve')).toMatchObject({ email: NEW })
    // The confirmation can be repeated once the address is free.
    await opened.stored.deleteUser?.('eve')
    await confirm(opened.tab, linkOf(opened.mails, OLD))
    expect(await opened.user()).toMatchObject({ email: NEW })
  })

  test('goes to one of two users who confirm it at the same time', async () => {
    for (const adapter of [MemoryAdapter(), without(MemoryAdapter(), 'transaction')]) {
      const ada = await site({ adapter })
      const tab = ada.open()
      await tab.signIn('op', { sub: 'grace', email: 'grace@example.com' })
      await ada.change(NEW)
      await ada.change(NEW, tab)
      const links = ada.mails.flatMap(({ to, url }) => (to === NEW && url ? [url] : []))
      const [old = ''] = ada.mails.flatMap(({ to, url }) => (to === OLD && url ? [url] : []))
      await confirm(ada.tab, old)
      const [first = '', second = ''] = links
      await Promise.all([confirm(ada.tab, first), confirm(tab, second)])
      const grace = await adapter.getUserByEmail?.('grace@example.com')
      const emails = [(await ada.user())?.email, grace ? 'grace' : NEW]
      expect(emails.filter((email) => email === NEW)).toHaveLength(1)
    }
  })
})

describe('a link', () => {
  test('is refused in the browser of another user', async () => {
    const { change, mails, open, user, tab } = await site()
    await change()
    const eve = open()
    await eve.signIn('op', { sub: 'eve', email: 'eve@example.com' })
    for (const link of [linkOf(mails, NEW), linkOf(mails, OLD)])
      expect(place(await confirm(eve, link))).toBe(FAILED)
    await confirm(tab, linkOf(mails, NEW))
    expect(await user()).toMatchObject({ email: OLD })
  })

  test('is refused after the user or the address has changed', async () => {
    const moved = await site()
    await moved.change()
    await confirm(moved.tab, linkOf(moved.mails, NEW))
    await moved.stored.updateUser?.({ id: moved.userId, email: 'ada@third.example' })
    expect(place(await confirm(moved.tab, linkOf(moved.mails, OLD)))).toBe(FAILED)
    expect(await moved.user()).toMatchObject({ email: 'ada@third.example' })
    const gone = await site()
    await gone.change()
    await confirm(gone.tab, linkOf(gone.mails, NEW))
    await gone.stored.deleteUser?.(gone.userId)
    expect(place(await confirm(gone.open(), linkOf(gone.mails, OLD)))).toBe(FAILED)
    expect(await gone.stored.getUserByEmail?.(NEW)).toBeNull()
  })

  test('is refused after the owner of an unverified address has signed in with it', async () => {
    const links: string[] = []
    const mail = {
      id: 'email',
      name: 'Email',
      type: 'email',
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
    } as const
    const config = { providers: [oidc(op), mail] }
    const { change, mails, open, tab, user } = await site({ config, verified: false })
    await change('eve@attacker.example')
    const owner = open()
    await owner.post('signin/email', { email: OLD })
    await owner.request(links.at(-1) ?? '')
    expect((await user())?.emailVerified).toBeInstanceOf(Date)
    expect(await tab.session()).toBeNull()
    const answer = await confirm(tab, linkOf(mails, 'eve@attacker.example'))
    expect(place(answer)).toBe(FAILED)
    expect(await user()).toMatchObject({ email: OLD })
    expect(await owner.session()).not.toBeNull()
  })

  test('of another tenant, or of another secret, is refused', async () => {
    const { change, mails, config, user } = await site()
    await change()
    const link = linkOf(mails, NEW)
    const tenant = browser(config, { origin: 'https://other.test' })
    const moved = await tenant.request(link.replace('app.test', 'other.test'))
    expect(place(moved)).toBe('https://other.test/auth/error?error=AddressChangeError')
    const other = browser({ ...config, secret: 'another secret of at least 32 bytes, or so' })
    expect(place(await other.request(link))).toBe(FAILED)
    expect(await user()).toMatchObject({ email: OLD })
  })

  test.each(['', '?token=', '?token=x', '?token=a.b.c.d.e', '?token=x&token=y'])(
    'that is not one is refused: %j',
    async (query) => {
      const { tab } = await site()
      const response = await tab.request(`https://app.test/auth/confirm${query}`)
      expect(place(response) ?? response.status).toBe(query.includes('&') ? 400 : FAILED)
    },
  )

  test('is not in the mail of the other mailbox, nor are the addresses of the user', async () => {
    const { change, mails } = await site()
    await change()
    const toNew = mails.find(({ to }) => to === NEW)
    const toOld = mails.find(({ to }) => to === OLD)
    expect(toNew?.url).not.toBe(toOld?.url)
    expect(`${toNew?.subject} ${toNew?.text} ${toNew?.html}`).not.toMatch(/ada@example|Lovelace/)
    expect(toOld?.text).toContain(NEW)
    expect(toOld?.html).not.toContain('new.example')
  })
})

describe('the former mailbox', () => {
  const undoOf = (mails: readonly AccountMail[]) => linkOf(mails, OLD)

  test('undoes the change within a week, which signs the user out everywhere', async () => {
    const opened = await site()
    await changeBoth(opened)
    const notice = opened.mails.at(-1)
    expect(notice).toMatchObject({ kind: 'notice', to: OLD, notice: { change: 'address-changed' } })
    const owner = opened.open()
    const restored = await confirm(owner, undoOf(opened.mails))
    expect(await titleOf(restored)).toBe('The change was undone')
    expect(await opened.user()).toMatchObject({ email: OLD })
    expect(await opened.tab.session()).toBeNull()
    expect(opened.audited.at(-1)).toMatchObject({ type: 'address.restored' })
    // Once only.
    await opened.stored.updateUser?.({ id: opened.userId, email: NEW })
    await confirm(owner, undoOf(opened.mails))
    expect(await opened.user()).toMatchObject({ email: NEW })
  })

  test('undoes it after a second change, whose own link is then worthless', async () => {
    const opened = await site()
    const { mails, tab, change } = opened
    await changeBoth(opened)
    const undo = undoOf(mails)
    await change('eve@third.example')
    await confirm(tab, linkOf(mails, 'eve@third.example'))
    await confirm(tab, linkOf(mails, NEW))
    expect(await opened.user()).toMatchObject({ email: 'eve@third.example' })
    const second = linkOf(mails, NEW)
    await confirm(opened.open(), undo)
    expect(await opened.user()).toMatchObject({ email: OLD })
    expect(place(await confirm(opened.open(), second))).toBe(FAILED)
    expect(await opened.user()).toMatchObject({ email: OLD })
  })

  test('cancels a change that is pending', async () => {
    const opened = await site()
    const { mails, tab, change } = opened
    await changeBoth(opened)
    const undo = undoOf(mails)
    await change('eve@third.example')
    const pending = [linkOf(mails, 'eve@third.example'), linkOf(mails, NEW)]
    await confirm(opened.open(), undo)
    for (const link of pending) expect(place(await confirm(opened.open(), link))).toBe(FAILED)
    expect(await tab.session()).toBeNull()
    expect(await opened.user()).toMatchObject({ email: OLD })
  })

  test('cannot undo it once another user has the address, after a week, or without the user', async () => {
    stopClock()
    const taken = await site()
    await changeBoth(taken)
    await taken.stored.createUser?.({ id: 'eve', email: OLD, emailVerified: new Date() })
    expect(place(await confirm(taken.open(), undoOf(taken.mails)))).toBe(FAILED)
    expect(await taken.user()).toMatchObject({ email: NEW })
    const gone = await site()
    await changeBoth(gone)
    await gone.stored.deleteUser?.(gone.userId)
    expect(place(await confirm(gone.open(), undoOf(gone.mails)))).toBe(FAILED)
    const late = await site()
    await changeBoth(late)
    await pass(7 * 24 * 3600 + 16)
    expect(place(await confirm(late.open(), undoOf(late.mails)))).toBe(FAILED)
    expect(await late.user()).toMatchObject({ email: NEW })
  })
})

describe('a database that fails', () => {
  const METHODS = [
    'getUser',
    'getUserByEmail',
    'updateUser',
    'transaction',
    'deleteUserSessions',
    'listSessions',
    'deleteVerificationTokens',
    'readRecords',
    'writeRecord',
  ] as const
  const FAULTS = [
    ['before', down],
    ['after', lost],
  ] as const
  const ADAPTERS = [
    ['with transactions', () => MemoryAdapter()],
    ['without', () => without(MemoryAdapter(), 'transaction')],
  ] as const
  const cases = ADAPTERS.flatMap(([kind, create]) =>
    METHODS.flatMap((method) =>
      FAULTS.map(([when, fault]) => [kind, method, when, create, fault] as const),
    ),
  )

  test.each(cases)(
    '%s: a failure of %s %s the work leaves a change that can be repeated',
    async (_kind, method, _when, create, fault) => {
      const opened = await site({ adapter: create() })
      const { tab, mails, faults, user } = opened
      await opened.change()
      await confirm(tab, linkOf(mails, NEW))
      const page = await (await tab.request(linkOf(mails, OLD), { initiator: 'cross-site' })).text()
      faults[method] = once(fault)
      await press(tab, page)
      delete faults[method]
      expect([OLD, NEW]).toContain((await user())?.email)
      const again = await press(tab, page)
      expect(await titleOf(again)).toBe('The e-mail address has changed')
      expect(await user()).toMatchObject({ email: NEW })
      expect(await tab.session()).not.toBeNull()
    },
  )
})
